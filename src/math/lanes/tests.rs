//! Parity: every number type gives the same answers, and all but the fused one the same bits.

use super::*;

/// Touches every operation of [`Real`] and [`Lanes`] and answers what came out.
struct Everything<'a> {
    a: &'a [Row; 4],
    b: &'a [Row; 4],
    table: &'a [Float4],
    slots: &'a Slots,
}

impl Kernel for Everything<'_> {
    type Output = ([Row; 10], Vec<Float4>);

    #[inline(always)]
    fn run<R: Lanes>(self) -> Self::Output {
        let mut out = [Row::default(); 10];
        let mut table = vec![Float4::default(); 16];
        let mut lane = 0;
        while lane < LANES {
            let (p, q) = (R::load_quaternion(self.a, lane), R::load_quaternion(self.b, lane));
            let r = (p * q).normalize();
            let v = r.rotate(p.vector()) + r.axis() - q.vector().cross(p.vector());
            let g = R::gather(self.table, self.slots, lane);
            let h = R::load_group(self.table, 1, lane);
            (p.x / q.y).store(&mut out[0], lane);
            R::select_positive(p.y, q.y, q.z).store(&mut out[1], lane);
            p.z.flip_by(q.w).store(&mut out[2], lane);
            p.z.min(q.z).max(p.w).store(&mut out[3], lane);
            p.x.neg_mul_add(q.x, p.y).store(&mut out[4], lane);
            let [_, _, _, _, _, x, y, z, w, d] = &mut out;
            v.x.store(x, lane);
            v.y.store(y, lane);
            v.z.store(z, lane);
            (g[0] + g[1] * h[2] - g[3]).store(w, lane);
            r.dot(q).store(d, lane);
            R::store_group([r.x, r.y, r.z, r.w], &mut table, 1, lane);
            lane += R::WIDTH;
        }
        (out, table)
    }
}

#[test]
fn number_types_agree() {
    let value = |seed: usize| ((seed * 7919 % 1000) as f32 - 480.0) / 173.0;
    let rows = |seed: usize| -> [Row; 4] {
        std::array::from_fn(|c| Row(std::array::from_fn(|l| value(seed + 13 * c + 101 * l))))
    };
    let (a, b) = (rows(1), rows(5000));
    let table: Vec<Float4> = (0..32)
        .map(|i| Float4(std::array::from_fn(|c| value(i * 4 + c))))
        .collect();
    let slots = Slots::new([31, 0, 4, 9, 2, 2, 17, 30]);
    let work = || Everything {
        a: &a,
        b: &b,
        table: &table,
        slots: &slots,
    };
    let bits = |(rows, table): ([Row; 10], Vec<Float4>)| -> Vec<u32> {
        let rows = rows.into_iter().flat_map(|r| r.0);
        let table = table.into_iter().flat_map(|f| f.0);
        rows.chain(table).map(f32::to_bits).collect()
    };
    let portable = bits(dispatch_portable(work()));
    assert_eq!(portable, bits(dispatch(Arithmetic::Scalar, work())));
    assert_eq!(portable, bits(dispatch(Arithmetic::Reproducible, work())));
    for (fast, exact) in bits(dispatch(Arithmetic::Fast, work())).iter().zip(&portable) {
        let (fast, exact) = (f32::from_bits(*fast), f32::from_bits(*exact));
        // One rounding instead of two, on values of a few units.
        assert!((fast - exact).abs() <= 4e-6 * (1.0 + exact.abs()), "{fast} {exact}");
    }
}
