//! Work memory of a substep: flat lists of doubles, one or eight of them an entry.

use super::{chain::RECORD, plan::Plan};

/// Lists named by what they hold; the number after a name is the entries per element.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// Blocks on the diagonal (6 a node), off it (9 a block, or a record a segment of a chain), right-hand side and then the step (3 a node).
    pub diagonal: Vec<f64>,
    pub off: Vec<f64>,
    pub rhs: Vec<f64>,
    /// 1 a node: the size of its block before neighbours are eliminated.
    pub size: Vec<f64>,
    /// 1 a node: 0 where it is held.
    pub free: Vec<f64>,
    /// 3 a vertex: increment, inertial increment, and where the step started.
    pub u: Vec<f64>,
    pub inertial: Vec<f64>,
    pub kept_u: Vec<f64>,
    /// 3 a vertex: the increments of standing still.
    pub still: Vec<f64>,
    /// 9 a vertex: gradient and Hessian that further stages add. Only where `has_extra`.
    pub extra: Vec<f64>,
    pub has_extra: bool,
    /// 9 a node: gradient and Hessian of what it touches, here and now; 6 a segment: the Hessian between its ends. Only where `has_contact`, which also
    /// means that what is led may not be where it is led to yet.
    pub contact: Vec<f64>,
    pub contact_edges: Vec<f64>,
    /// 9 a body, by columns: the Hessian of what it touches between its centre and its rotation.
    pub contact_bodies: Vec<f64>,
    pub has_contact: bool,
    /// 1 a vertex: mass over the square of the step.
    pub inertia: Vec<f64>,
    /// 4 a segment, walls after them: orientation, where the step started, and where the substep did.
    pub q: Vec<f64>,
    pub kept_q: Vec<f64>,
    pub start_q: Vec<f64>,
    /// 3 a node: the step.
    pub step: Vec<f64>,
    /// 3 a segment: edge at the start, torque, local strain before (damped).
    pub edges: Vec<f64>,
    pub torque: Vec<f64>,
    pub has_torque: bool,
    pub strains: Vec<f64>,
    /// 4 a segment: EA, GA, length, inverse length.
    pub segments: Vec<f64>,
    pub segment_alpha: Vec<f64>,
    /// Of a joint: rest orientation (4), stiffness (1), softness (8), α (1), turn before (4).
    pub rests: Vec<f64>,
    pub joint_stiffness: Vec<f64>,
    pub softness: Vec<f64>,
    pub joint_alpha: Vec<f64>,
    pub turns: Vec<f64>,
    /// One over the mean rest length (1), and the potential of standing still (1): its inertial part until the whole is asked for.
    pub inverse_mean_length: Vec<f64>,
    pub standing: Vec<f64>,
    pub standing_is_whole: bool,
}

impl Memory {
    /// Room for a plan in so many lanes.
    pub fn reserve(&mut self, plan: &Plan, lanes: usize) {
        let (nodes, vertices) = (plan.nodes(), plan.vertices);
        let (segments, joints) = (plan.segments.len(), plan.joints.len());
        let frames = plan.frames + plan.walls;
        let grow = |list: &mut Vec<f64>, entries: usize| {
            if list.len() < entries * lanes {
                list.resize(entries * lanes, 0.0);
            }
        };
        grow(&mut self.diagonal, 6 * nodes);
        grow(&mut self.off, (9 * plan.blocks()).max(RECORD * segments));
        grow(&mut self.rhs, 3 * nodes);
        grow(&mut self.size, nodes);
        grow(&mut self.free, nodes);
        grow(&mut self.u, 3 * vertices);
        grow(&mut self.inertial, 3 * vertices);
        grow(&mut self.kept_u, 3 * vertices);
        grow(&mut self.still, 3 * vertices);
        grow(&mut self.extra, 9 * vertices);
        grow(&mut self.inertia, vertices);
        grow(&mut self.q, 4 * frames);
        grow(&mut self.kept_q, 4 * frames);
        grow(&mut self.start_q, 4 * frames);
        grow(&mut self.step, 3 * nodes);
        grow(&mut self.edges, 3 * segments);
        grow(&mut self.torque, 3 * segments);
        grow(&mut self.strains, 3 * segments);
        grow(&mut self.segments, 4 * segments);
        grow(&mut self.segment_alpha, segments);
        grow(&mut self.rests, 4 * joints);
        grow(&mut self.joint_stiffness, joints);
        grow(&mut self.softness, 8 * joints);
        grow(&mut self.joint_alpha, joints);
        grow(&mut self.turns, 4 * joints);
        grow(&mut self.inverse_mean_length, 1);
        grow(&mut self.standing, 1);
    }

    /// Room for what a plan touches.
    pub fn reserve_contact(&mut self, plan: &Plan) {
        let nodes = (9 * plan.nodes()).max(self.contact.len());
        self.contact.resize(nodes, 0.0);
        let edges = (6 * plan.segments.len()).max(self.contact_edges.len());
        self.contact_edges.resize(edges, 0.0);
        let bodies = (9 * plan.centers.len()).max(self.contact_bodies.len());
        self.contact_bodies.resize(bodies, 0.0);
    }
}
