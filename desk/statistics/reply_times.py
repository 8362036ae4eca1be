"""Reply times as a histogram: buckets that can be added up over days and bots, and percentiles read from them."""

import math

GROWTH = 1.1  # from one bucket's bound to the next: a percentile is off by a twentieth at most
_STEP = math.log(GROWTH)


def bucket_of(milliseconds: float) -> int:
    """Bucket n holds what is above GROWTH**(n-1) ms and not above GROWTH**n ms."""
    return max(0, math.ceil(math.log(max(milliseconds, 1)) / _STEP))


def percentile(buckets: dict[int, int], share: float) -> float | None:
    """Milliseconds that this share of the replies did not take longer than; None without replies."""
    total = sum(buckets.values())
    if not total:
        return None
    wanted, seen = share * total, 0
    for bucket in sorted(buckets):
        if seen + buckets[bucket] >= wanted:
            into = (wanted - seen) / buckets[bucket]
            return GROWTH ** (bucket - 1 + into)
        seen += buckets[bucket]
    return GROWTH ** max(buckets)
