//! A sorted list of pairs, and how new ones get into it.

/// Pairs (a, b) with a < b, sorted, each once; and the memory to sort in.
#[derive(Clone, Default)]
pub(super) struct Pairs {
    pub sorted: Vec<(u32, u32)>,
    /// New pairs in any order.
    pub found: Vec<(u32, u32)>,
    /// New pairs, sorted; then the list before.
    other: Vec<(u32, u32)>,
    /// Where the pairs of each item start.
    starts: Vec<u32>,
}

impl Pairs {
    /// The list becomes what was found among this many items.
    pub fn replace(&mut self, items: usize) {
        self.sort_found(items);
        std::mem::swap(&mut self.sorted, &mut self.other);
    }

    /// What was found takes the place of every pair with an item that has changed.
    pub fn merge(&mut self, is_changed: &[bool]) {
        self.sort_found(is_changed.len());
        // What was found has been sorted into `other`, and is no longer needed where it was.
        std::mem::swap(&mut self.found, &mut self.sorted);
        let before = &self.found;
        self.sorted.clear();
        let mut new = self.other.as_slice();
        for row in before.chunk_by(|p, q| p.0 == q.0) {
            let a = row[0].0;
            let earlier = new.iter().take_while(|pair| pair.0 < a).count();
            self.sorted.extend_from_slice(&new[..earlier]);
            new = &new[earlier..];
            if is_changed[a as usize] {
                continue;
            }
            for &pair in row.iter().filter(|pair| !is_changed[pair.1 as usize]) {
                while let Some((&first, rest)) = new.split_first()
                    && first < pair
                {
                    self.sorted.push(first);
                    new = rest;
                }
                self.sorted.push(pair);
            }
        }
        self.sorted.extend_from_slice(new);
    }

    /// A counting sort by the first item; the few pairs that share it are then sorted by the second one.
    fn sort_found(&mut self, items: usize) {
        self.starts.clear();
        self.starts.resize(items + 1, 0);
        for &(a, _) in &self.found {
            self.starts[a as usize + 1] += 1;
        }
        for i in 0..items {
            self.starts[i + 1] += self.starts[i];
        }
        self.other.clear();
        self.other.resize(self.found.len(), (0, 0));
        for &pair in &self.found {
            let slot = &mut self.starts[pair.0 as usize];
            self.other[*slot as usize] = pair;
            *slot += 1;
        }
        // Each start has become the end of its row.
        let mut start = 0;
        for &end in &self.starts[..items] {
            self.other[start..end as usize].sort_unstable();
            start = end as usize;
        }
    }
}
