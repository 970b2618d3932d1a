//! The order in which a rod's unknowns are eliminated, and where every 3×3 block stands: made once for a topology.
//!
//! Nodes are the vertices (their positions) and the segments (their rotations). A segment couples its rotation and its two ends, a joint
//! couples two rotations. Eliminating always the node with the fewest neighbours left takes a chain or a tree leaf by leaf, without any fill, in O(n);
//! loops and nets get the little fill that they need, so that they are solved exactly as well. Among equals the node with
//! the shallowest history goes first: a chain is eaten from both ends at once, two independent streams for the processor to overlap.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, BinaryHeap},
    ops::Range,
};

use crate::rod::RodDescription;

/// A block off the diagonal: which, and whether it stands transposed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Coupling {
    pub block: u32,
    pub transposed: bool,
}

/// One elimination: a node with the blocks that couple it to nodes that come later.
#[derive(Clone, Copy, Debug)]
pub struct Pivot {
    /// The node.
    pub node: u32,
    /// Its entries in `neighbours`, which hold the later nodes, and in block order: block `first + k` couples to neighbour `k`.
    pub first: u32,
    pub count: u32,
    /// Where its updates start in `updates`: for `j < k` the block between the neighbours `j` and `k`, row by row.
    pub updates: u32,
    /// One past the last of its elements in `segment_order` and in `joint_order`: those that are due now. They are put
    /// together just before the node goes, while their blocks are still in the nearest cache.
    pub segments_end: u32,
    pub joints_end: u32,
}

/// Where the blocks of a segment are.
#[derive(Clone, Copy, Debug)]
pub struct SegmentPlan {
    pub tail: u32,
    pub head: u32,
    /// Node of the rotation.
    pub node: u32,
    pub tail_rotation: Coupling,
    pub head_rotation: Coupling,
    pub tail_head: Coupling,
}

/// Where the blocks of a joint are.
#[derive(Clone, Copy, Debug)]
pub struct JointPlan {
    /// Segments; walls are numbered after the segments.
    pub first: u32,
    pub second: u32,
    /// Nodes of the rotations; a wall has none.
    pub first_node: Option<u32>,
    pub second_node: Option<u32>,
    /// Between the two, where both are free to turn.
    pub coupling: Option<Coupling>,
}

/// Where the blocks of a tie are: a point of a segment held to a point of a body. It adds to what others wrote.
#[derive(Clone, Copy, Debug)]
pub struct TiePlan {
    pub tail: u32,
    pub head: u32,
    /// Nodes of the body's centre and of its rotation.
    pub center: u32,
    pub rotation: u32,
    pub tail_head: Coupling,
    pub tail_center: Coupling,
    pub tail_rotation: Coupling,
    pub head_center: Coupling,
    pub head_rotation: Coupling,
    pub center_rotation: Coupling,
}

/// The plan of a topology.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Of rods, then the centres of bodies.
    pub vertices: usize,
    /// What turns: segments, then bodies.
    pub frames: usize,
    /// Frames that are given: they are numbered after those that turn.
    pub walls: usize,
    pub segments: Vec<SegmentPlan>,
    /// Joints, then clamps.
    pub joints: Vec<JointPlan>,
    pub ties: Vec<TiePlan>,
    /// Of bodies: between the centre and the rotation. Nobody writes it: ties and contacts add.
    pub centers: Vec<Coupling>,
    pub pivots: Vec<Pivot>,
    pub neighbours: Vec<u32>,
    pub updates: Vec<u32>,
    /// Blocks that no element writes: they start at zero.
    pub fill: Vec<u32>,
    /// Segments and joints in the order in which they are needed.
    pub segment_order: Vec<u32>,
    pub joint_order: Vec<u32>,
    /// The same of ties, and with each the elimination it comes before.
    pub tie_order: Vec<(u32, u32)>,
}

/// A frame that a joint refers to.
#[derive(Clone, Copy, Debug)]
pub enum Frame {
    Segment(u32),
    Body(u32),
    Wall(u32),
}

/// Where the elements of one rod stand in a plan of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    pub vertices: Range<usize>,
    pub segments: Range<usize>,
    pub joints: Range<usize>,
    pub walls: Range<usize>,
}

/// What a plan is made for: rods side by side, bodies, and what ties them.
#[derive(Clone, Debug, Default)]
pub struct Skeleton {
    vertices: usize,
    ends: Vec<[u32; 2]>,
    joints: Vec<[Frame; 2]>,
    walls: usize,
    bodies: usize,
    /// Segment and body.
    ties: Vec<[u32; 2]>,
}

impl Skeleton {
    /// A chain of so many segments with a wall at either end: joint `j` is between segments `j − 1` and `j`.
    pub fn add_chain(&mut self, count: u32) -> Part {
        let ends: Vec<[u32; 2]> = (0..count).map(|s| [s, s + 1]).collect();
        let frame = |j: u32| match j {
            0 => Frame::Wall(0),
            _ if j > count => Frame::Wall(1),
            _ => Frame::Segment(j - 1),
        };
        let joints: Vec<[Frame; 2]> = (0..=count).map(|j| [frame(j), frame(j + 1)]).collect();
        self.add(count as usize + 1, &ends, &joints, 2)
    }

    /// Any rod: its joints, then its clamps.
    pub fn add_graph(&mut self, rod: &RodDescription) -> Part {
        let ends: Vec<[u32; 2]> = rod.segments().iter().map(|s| [s.tail, s.head]).collect();
        let joints = rod.joints().iter().map(|j| [j.first, j.second].map(Frame::Segment));
        let clamps = (0u32..).zip(rod.clamps());
        let clamps = clamps.map(|(k, c)| [Frame::Wall(k), Frame::Segment(c.segment)]);
        let joints: Vec<[Frame; 2]> = joints.chain(clamps).collect();
        self.add(rod.vertices().len(), &ends, &joints, rod.clamps().len())
    }

    fn add(&mut self, vertices: usize, ends: &[[u32; 2]], joints: &[[Frame; 2]], walls: usize) -> Part {
        let part = Part {
            vertices: self.vertices..self.vertices + vertices,
            segments: self.ends.len()..self.ends.len() + ends.len(),
            joints: self.joints.len()..self.joints.len() + joints.len(),
            walls: self.walls..self.walls + walls,
        };
        let moved = |frame: Frame| match frame {
            Frame::Segment(s) => Frame::Segment(s + part.segments.start as u32),
            Frame::Wall(w) => Frame::Wall(w + part.walls.start as u32),
            Frame::Body(_) => frame,
        };
        let first = part.vertices.start as u32;
        self.ends.extend(ends.iter().map(|pair| pair.map(|v| v + first)));
        self.joints.extend(joints.iter().map(|pair| pair.map(moved)));
        self.vertices += vertices;
        self.walls += walls;
        part
    }

    /// A further body; answers its number. Bodies come after all rods.
    pub fn add_body(&mut self) -> u32 {
        self.bodies += 1;
        self.bodies as u32 - 1
    }

    /// A point of a segment held to a point of a body.
    pub fn add_tie(&mut self, segment: u32, body: u32) {
        self.ties.push([segment, body]);
    }

    /// A joint between a body and a segment; answers its number.
    pub fn add_weld(&mut self, body: u32, segment: u32) -> usize {
        self.joints.push([Frame::Body(body), Frame::Segment(segment)]);
        self.joints.len() - 1
    }
}

impl Plan {
    /// Nodes: vertices, then frames that turn.
    pub fn nodes(&self) -> usize {
        self.vertices + self.frames
    }

    /// Centres of bodies and their rotations come last among the vertices and frames.
    pub fn first_body(&self) -> usize {
        self.vertices - (self.frames - self.segments.len())
    }

    /// The whole plan as the part of one rod.
    pub fn whole(&self) -> Part {
        Part {
            vertices: 0..self.first_body(),
            segments: 0..self.segments.len(),
            joints: 0..self.joints.len(),
            walls: 0..self.walls,
        }
    }

    /// Blocks off the diagonal.
    pub fn blocks(&self) -> usize {
        self.neighbours.len()
    }

    /// Chains of so many segments: see [`Skeleton::add_chain`].
    pub fn chain(count: u32) -> Self {
        let mut skeleton = Skeleton::default();
        skeleton.add_chain(count);
        Self::new(&skeleton)
    }

    /// Any rod: its joints, then its clamps.
    pub fn graph(rod: &RodDescription) -> Self {
        let mut skeleton = Skeleton::default();
        skeleton.add_graph(rod);
        Self::new(&skeleton)
    }

    /// A body by itself.
    pub fn lone_body() -> Self {
        let mut skeleton = Skeleton::default();
        skeleton.add_body();
        Self::new(&skeleton)
    }

    /// The plan of a skeleton.
    pub fn new(skeleton: &Skeleton) -> Self {
        let Skeleton { ends, walls, .. } = skeleton;
        let vertices = skeleton.vertices + skeleton.bodies;
        let frames = ends.len() + skeleton.bodies;
        let number = |frame: Frame| match frame {
            Frame::Segment(s) => s,
            Frame::Body(b) => ends.len() as u32 + b,
            Frame::Wall(w) => frames as u32 + w,
        };
        let joints: Vec<[u32; 2]> = skeleton.joints.iter().map(|pair| pair.map(number)).collect();
        let rotation = |frame: u32| ((frame as usize) < frames).then_some(vertices as u32 + frame);
        let tied: Vec<[u32; 4]> = (skeleton.ties.iter())
            .map(|&[segment, body]| {
                let [tail, head] = ends[segment as usize];
                let center = skeleton.vertices as u32 + body;
                [tail, head, center, (vertices + ends.len()) as u32 + body]
            })
            .collect();
        let mut links: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); vertices + frames];
        let mut link = |a: u32, b: u32| {
            links[a as usize].insert(b);
            links[b as usize].insert(a);
        };
        for (s, &[tail, head]) in ends.iter().enumerate() {
            let node = vertices as u32 + s as u32;
            link(tail, node);
            link(head, node);
            link(tail, head);
        }
        for &[first, second] in &joints {
            if let (Some(a), Some(b)) = (rotation(first), rotation(second)) {
                link(a, b);
            }
        }
        for nodes in &tied {
            for (k, &a) in nodes.iter().enumerate() {
                nodes[k + 1..].iter().for_each(|&b| link(a, b));
            }
        }
        // Whatever touches a body beside its centre turns it too.
        let bodies: Vec<[u32; 2]> = (0..skeleton.bodies as u32)
            .map(|body| [skeleton.vertices as u32 + body, (vertices + ends.len()) as u32 + body])
            .collect();
        bodies.iter().for_each(|&[center, rotation]| link(center, rotation));
        let (order, later) = eliminate(links);
        let mut place = vec![0u32; order.len()];
        for (at, &node) in order.iter().enumerate() {
            place[node as usize] = at as u32;
        }

        // Blocks in the order of elimination; a block's row is the node that goes first.
        let mut blocks = BTreeMap::new();
        let (mut pivots, mut neighbours) = (Vec::with_capacity(order.len()), Vec::new());
        for &node in &order {
            let mut own = later[node as usize].clone();
            own.sort_by_key(|&n| place[n as usize]);
            pivots.push(Pivot {
                node,
                first: neighbours.len() as u32,
                count: own.len() as u32,
                updates: 0,
                segments_end: 0,
                joints_end: 0,
            });
            for other in own {
                blocks.insert((node, other), neighbours.len() as u32);
                neighbours.push(other);
            }
        }
        let mut updates = Vec::new();
        for pivot in &mut pivots {
            pivot.updates = updates.len() as u32;
            let own = &neighbours[pivot.first as usize..(pivot.first + pivot.count) as usize];
            for (j, &row) in own.iter().enumerate() {
                for &column in &own[j + 1..] {
                    // Eliminating a node joins its neighbours: the block is there.
                    updates.push(blocks.get(&(row, column)).copied().unwrap_or(0));
                }
            }
        }
        let find = |row: u32, column: u32| match blocks.get(&(row, column)) {
            Some(&block) => Coupling {
                block,
                transposed: false,
            },
            None => Coupling {
                block: blocks.get(&(column, row)).copied().unwrap_or(0),
                transposed: true,
            },
        };
        let segments: Vec<SegmentPlan> = (ends.iter().enumerate())
            .map(|(s, &[tail, head])| {
                let node = vertices as u32 + s as u32;
                SegmentPlan {
                    tail,
                    head,
                    node,
                    tail_rotation: find(tail, node),
                    head_rotation: find(head, node),
                    tail_head: find(tail, head),
                }
            })
            .collect();
        let joints: Vec<JointPlan> = (joints.iter())
            .map(|&[first, second]| {
                let (first_node, second_node) = (rotation(first), rotation(second));
                JointPlan {
                    first,
                    second,
                    first_node,
                    second_node,
                    coupling: first_node.zip(second_node).map(|(a, b)| find(a, b)),
                }
            })
            .collect();
        let ties: Vec<TiePlan> = (tied.iter())
            .map(|&[tail, head, center, rotation]| TiePlan {
                tail,
                head,
                center,
                rotation,
                tail_head: find(tail, head),
                tail_center: find(tail, center),
                tail_rotation: find(tail, rotation),
                head_center: find(head, center),
                head_rotation: find(head, rotation),
                center_rotation: find(center, rotation),
            })
            .collect();
        let centers = bodies
            .iter()
            .map(|&[center, rotation]| find(center, rotation))
            .collect();
        // Two segments never share both ends, nor two joints both segments: each block is written by one element at most.
        let written: BTreeSet<u32> = (segments.iter())
            .flat_map(|s: &SegmentPlan| [s.tail_rotation, s.head_rotation, s.tail_head])
            .chain(joints.iter().filter_map(|j: &JointPlan| j.coupling))
            .map(|coupling| coupling.block)
            .collect();
        let fill = (0..neighbours.len() as u32)
            .filter(|block| !written.contains(block))
            .collect();
        // An element is due when the first of its nodes goes, and before anything is taken off one of its blocks, which it writes afresh.
        let mut touched = vec![u32::MAX; neighbours.len()];
        for (at, pivot) in (0u32..).zip(&pivots) {
            let pairs = (pivot.count * pivot.count.saturating_sub(1) / 2) as usize;
            for &block in &updates[pivot.updates as usize..pivot.updates as usize + pairs] {
                touched[block as usize] = touched[block as usize].min(at);
            }
        }
        let due = |nodes: &[Option<u32>], blocks: &[Option<Coupling>]| {
            let nodes = nodes.iter().flatten().map(|&node| place[node as usize]);
            let blocks = blocks.iter().flatten().map(|coupling| touched[coupling.block as usize]);
            nodes.chain(blocks).min().unwrap_or(0)
        };
        let segment_due: Vec<u32> = (segments.iter())
            .map(|s| {
                let nodes = [s.tail, s.head, s.node].map(Some);
                due(&nodes, &[s.tail_rotation, s.head_rotation, s.tail_head].map(Some))
            })
            .collect();
        let joint_due: Vec<u32> = (joints.iter())
            .map(|j| due(&[j.first_node, j.second_node], &[j.coupling]))
            .collect();
        // A tie adds to its blocks: it only has to come before its first node goes, and after the segment that writes.
        let tie_due: Vec<u32> = (ties.iter())
            .map(|t| due(&[t.tail, t.head, t.center, t.rotation].map(Some), &[]))
            .collect();
        let tie_order = (in_order(&tie_due).into_iter())
            .map(|t| (t, tie_due[t as usize]))
            .collect();
        let segment_order = in_order(&segment_due);
        let joint_order = in_order(&joint_due);
        for (at, pivot) in (0u32..).zip(&mut pivots) {
            pivot.segments_end = segment_order.partition_point(|&s| segment_due[s as usize] <= at) as u32;
            pivot.joints_end = joint_order.partition_point(|&j| joint_due[j as usize] <= at) as u32;
        }
        Self {
            vertices,
            frames,
            walls: *walls,
            segments,
            joints,
            ties,
            centers,
            pivots,
            neighbours,
            updates,
            fill,
            segment_order,
            joint_order,
            tie_order,
        }
    }
}

/// Indices by rising key, equal ones as they were.
fn in_order(keys: &[u32]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..keys.len() as u32).collect();
    order.sort_by_key(|&i| keys[i as usize]);
    order
}

/// Eliminates node after node; answers the order and, of each node, the neighbours that it still had.
fn eliminate(mut links: Vec<BTreeSet<u32>>) -> (Vec<u32>, Vec<Vec<u32>>) {
    let count = links.len();
    let mut depth = vec![0u32; count];
    let mut done = vec![false; count];
    let mut later = vec![Vec::new(); count];
    let mut order = Vec::with_capacity(count);
    let key = |links: &[BTreeSet<u32>], depth: &[u32], node: u32| {
        Reverse((links[node as usize].len(), depth[node as usize], node))
    };
    let mut queue: BinaryHeap<_> = (0..count as u32).map(|n| key(&links, &depth, n)).collect();
    while let Some(entry) = queue.pop() {
        let Reverse((_, _, node)) = entry;
        // An entry is stale when the node has changed since; its newer one is in the queue.
        if done[node as usize] || entry != key(&links, &depth, node) {
            continue;
        }
        done[node as usize] = true;
        order.push(node);
        let around: Vec<u32> = std::mem::take(&mut links[node as usize]).into_iter().collect();
        for &a in &around {
            let own = &mut links[a as usize];
            own.remove(&node);
            own.extend(around.iter().copied().filter(|&b| b != a));
            depth[a as usize] = depth[a as usize].max(depth[node as usize] + 1);
        }
        for &a in &around {
            queue.push(key(&links, &depth, a));
        }
        later[node as usize] = around;
    }
    (order, later)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain has no fill: every block is one of a segment's three or of a joint, and a node has at most two when it goes.
    #[test]
    fn chains_have_no_fill() {
        let plan = Plan::chain(50);
        assert_eq!(plan.pivots.len(), 101);
        assert_eq!(plan.blocks(), 3 * 50 + 49);
        assert!(plan.pivots.iter().all(|p| p.count <= 3));
    }
}
