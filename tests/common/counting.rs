//! An allocator that counts. A test binary that installs it has one test only: the counters see every thread of the process.
#![allow(
    unsafe_code,
    reason = "an allocator can be written no other way; this one only counts and passes on"
)]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    sync::atomic::{AtomicUsize, Ordering},
};

/// The system's allocator with counters.
pub struct Counting {
    calls: AtomicUsize,
    /// Wraps below zero for an instant when threads race; the sum is right.
    bytes: AtomicUsize,
}

#[allow(dead_code, reason = "every test binary reads its own counter")]
impl Counting {
    pub const fn new() -> Self {
        Self {
            calls: AtomicUsize::new(0),
            bytes: AtomicUsize::new(0),
        }
    }

    /// Allocations and reallocations so far.
    pub fn calls(&self) -> usize {
        self.calls.load(Ordering::Relaxed)
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }
}

// SAFETY: every call goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.bytes
            .fetch_add(size.wrapping_sub(layout.size()), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { System.realloc(old, layout, size) }
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        self.bytes.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(old, layout) }
    }
}
