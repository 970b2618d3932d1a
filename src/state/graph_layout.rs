//! Colours a graph so that eight elements of one colour can move at once, and orders it so that they sit side by side.
//!
//! Vertices that share a segment, and segments that share a joint, never have the same colour: moving one colour at a time is a
//! Gauss–Seidel sweep, whatever order the elements of the colour are taken in. So it fills the lanes and gives the same bits
//! on any number of threads. Greedy colouring in index order gives a chain two colours, alternating.

use crate::{
    math::lanes::{LANES, Row, Slots},
    rod::RodDescription,
};

/// A segment that ends at the vertices of a group.
#[derive(Clone, Debug)]
pub struct Incidence {
    /// The vertex at the other end.
    pub other: Slots,
    /// The segment.
    pub segment: Slots,
    /// +1 where the group's vertex is the tail, −1 where it is the head.
    pub sign: Row,
}

/// Where a joint's numbers stand: an entry of the joint list, and a lane.
pub type Place = (u32, u32);

/// The order of a graph in memory.
#[derive(Clone, Debug)]
pub struct GraphLayout {
    /// Slot (eight times the group, plus the lane) of each vertex.
    pub vertex_slot: Vec<u32>,
    /// Slot of each segment, then of the wall frame of each clamp.
    pub segment_slot: Vec<u32>,
    /// For each group of vertices, where its incidences start; one more at the end.
    pub incidence_start: Vec<u32>,
    /// The incidences of all groups.
    pub incidences: Vec<Incidence>,
    /// Ends of the segments of each group.
    pub tails: Vec<Slots>,
    /// Ends of the segments of each group.
    pub heads: Vec<Slots>,
    /// For each group of segments, where its joints start; one more at the end.
    pub joint_start: Vec<u32>,
    /// The other segment of each joint of each group.
    pub neighbours: Vec<Slots>,
    /// The two places of each joint (at its first segment, at its second), then of each clamp (at its wall, at its segment).
    pub joint_places: Vec<[Place; 2]>,
}

impl GraphLayout {
    /// Plan a description.
    pub fn new(rod: &RodDescription) -> Self {
        let ends: Vec<[u32; 2]> = rod.segments().iter().map(|s| [s.tail, s.head]).collect();
        let walls = rod.clamps().len();
        let segments = ends.len() + walls;

        // Joints between segments; a clamp is a joint with its wall, which is a segment that does not move.
        let joints: Vec<[u32; 2]> = (rod.joints().iter().map(|j| [j.first, j.second]))
            .chain((rod.clamps().iter().enumerate()).map(|(k, c)| [(ends.len() + k) as u32, c.segment]))
            .collect();

        let vertex_links = Links::new(rod.vertices().len(), &ends);
        let segment_links = Links::new(segments, &joints);
        let (vertex_slot, vertex_order) = arrange(&vertex_links, &ends);
        let (segment_slot, mut segment_order) = arrange(&segment_links, &joints);
        // One slot that stands for "no segment" in groups whose vertices differ in degree.
        if segment_order.iter().all(Option::is_some) {
            segment_order.extend([None; LANES]);
        }
        let nothing = segment_order.iter().position(Option::is_none).unwrap_or(0) as u32;

        let mut incidence_start = vec![0];
        let mut incidences = Vec::new();
        for (group, members) in vertex_order.chunks_exact(LANES).enumerate() {
            let degree = widest(members, &vertex_links);
            for k in 0..degree {
                let mut other = own_slots(group);
                let mut segment = [nothing; LANES];
                let mut sign = Row::default();
                for (lane, member) in members.iter().enumerate() {
                    let Some(link) = member.and_then(|v| vertex_links.of(v).get(k)) else {
                        continue;
                    };
                    let [tail, head] = ends[link.edge as usize];
                    other[lane] = vertex_slot[if link.second { tail } else { head } as usize];
                    segment[lane] = segment_slot[link.edge as usize];
                    sign.0[lane] = if link.second { -1.0 } else { 1.0 };
                }
                incidences.push(Incidence {
                    other: Slots::new(other),
                    segment: Slots::new(segment),
                    sign,
                });
            }
            incidence_start.push(incidences.len() as u32);
        }

        let mut joint_start = vec![0];
        let (mut tails, mut heads, mut neighbours) = (Vec::new(), Vec::new(), Vec::new());
        let mut joint_places = vec![[(0, 0); 2]; joints.len()];
        for (group, members) in segment_order.chunks_exact(LANES).enumerate() {
            let slot_of = |end: usize| {
                std::array::from_fn(|lane| {
                    let segment = members[lane].filter(|&s| (s as usize) < ends.len());
                    segment.map_or(0, |s| vertex_slot[ends[s as usize][end] as usize])
                })
            };
            tails.push(Slots::new(slot_of(0)));
            heads.push(Slots::new(slot_of(1)));
            for k in 0..widest(members, &segment_links) {
                let mut neighbour = own_slots(group);
                for (lane, member) in members.iter().enumerate() {
                    let Some(link) = member.and_then(|s| segment_links.of(s).get(k)) else {
                        continue;
                    };
                    let joint = link.edge as usize;
                    let other = joints[joint][if link.second { 0 } else { 1 }];
                    neighbour[lane] = segment_slot[other as usize];
                    joint_places[joint][usize::from(link.second)] = (neighbours.len() as u32, lane as u32);
                }
                neighbours.push(Slots::new(neighbour));
            }
            joint_start.push(neighbours.len() as u32);
        }

        Self {
            vertex_slot,
            segment_slot,
            incidence_start,
            incidences,
            tails,
            heads,
            joint_start,
            neighbours,
            joint_places,
        }
    }

    /// Groups of eight vertices.
    pub fn vertex_groups(&self) -> usize {
        self.incidence_start.len() - 1
    }

    /// Groups of eight segments.
    pub fn segment_groups(&self) -> usize {
        self.joint_start.len() - 1
    }
}

fn own_slots(group: usize) -> [u32; LANES] {
    std::array::from_fn(|lane| (group * LANES + lane) as u32)
}

fn widest(members: &[Option<u32>], links: &Links) -> usize {
    (members.iter().flatten())
        .map(|&m| links.of(m).len())
        .max()
        .unwrap_or(0)
}

/// An edge seen from one of its ends.
#[derive(Clone, Copy, Debug)]
struct Link {
    edge: u32,
    /// Whether the end is the edge's second.
    second: bool,
}

/// Which edges touch each node, as one array.
struct Links {
    start: Vec<u32>,
    list: Vec<Link>,
}

impl Links {
    fn new(nodes: usize, edges: &[[u32; 2]]) -> Self {
        let mut start = vec![0u32; nodes + 1];
        for node in edges.iter().flatten() {
            start[*node as usize + 1] += 1;
        }
        for node in 0..nodes {
            start[node + 1] += start[node];
        }
        let mut cursor = start.clone();
        let blank = Link { edge: 0, second: false };
        let mut list = vec![blank; 2 * edges.len()];
        for (edge, ends) in edges.iter().enumerate() {
            for (end, node) in ends.iter().enumerate() {
                let at = &mut cursor[*node as usize];
                list[*at as usize] = Link {
                    edge: edge as u32,
                    second: end == 1,
                };
                *at += 1;
            }
        }
        // The joint with the segment before comes first, as in a chain: the same sum, the same bits.
        for node in 0..nodes {
            list[start[node] as usize..start[node + 1] as usize].sort_by_key(|link| (!link.second, link.edge));
        }
        Self { start, list }
    }

    fn of(&self, node: u32) -> &[Link] {
        let node = node as usize;
        &self.list[self.start[node] as usize..self.start[node + 1] as usize]
    }
}

/// Colours the nodes and orders them by colour, then by degree (so that a group wastes little), then by index.
/// Answers the slot of each node, and the node of each slot.
fn arrange(links: &Links, edges: &[[u32; 2]]) -> (Vec<u32>, Vec<Option<u32>>) {
    let nodes = links.start.len() - 1;
    let mut colour = vec![u32::MAX; nodes];
    let mut taken = Vec::new();
    for node in 0..nodes as u32 {
        taken.clear();
        for link in links.of(node) {
            let other = edges[link.edge as usize][usize::from(!link.second)];
            taken.push(colour[other as usize]);
        }
        colour[node as usize] = (0..).find(|c| !taken.contains(c)).unwrap_or(0);
    }
    let mut order: Vec<u32> = (0..nodes as u32).collect();
    order.sort_by_key(|&n| {
        let degree = links.of(n).len();
        (colour[n as usize], usize::MAX - degree, n)
    });
    let mut slot = vec![0; nodes];
    let mut placed: Vec<Option<u32>> = Vec::with_capacity(nodes + 8 * LANES);
    let mut last_colour = 0;
    for node in order {
        if colour[node as usize] != last_colour {
            last_colour = colour[node as usize];
            placed.resize(placed.len().next_multiple_of(LANES), None);
        }
        slot[node as usize] = placed.len() as u32;
        placed.push(Some(node));
    }
    placed.resize(placed.len().next_multiple_of(LANES), None);
    (slot, placed)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks the colouring of a wheel (a hub of degree nine and a rim) and of its line graph.
    #[test]
    fn no_group_holds_neighbours() {
        let mut edges: Vec<[u32; 2]> = (1..10).map(|i| [0, i]).collect();
        edges.extend((1..10).map(|i| [i, i % 9 + 1]));
        let links = Links::new(10, &edges);
        let (slot, placed) = arrange(&links, &edges);
        assert_eq!(placed.iter().flatten().count(), 10);
        for (node, &s) in slot.iter().enumerate() {
            assert_eq!(placed[s as usize], Some(node as u32));
        }
        for [a, b] in edges {
            assert_ne!(slot[a as usize] / 8, slot[b as usize] / 8, "{a} {b}");
        }
    }
}
