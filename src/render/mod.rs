//! How rods look: tube meshes and debug lines, into the callers own buffers.
