"""Reply-time histograms: buckets that can be summed over days and bots, and percentiles read from them."""

import math

GROWTH = 1.1  # ratio of neighbouring bucket bounds: percentiles are off by at most 5 %
_STEP = math.log(GROWTH)


def bucket_of(milliseconds: float) -> int:
    """Return the bucket of a reply time: bucket n covers GROWTH**(n-1) to GROWTH**n ms."""
    return max(0, math.ceil(math.log(max(milliseconds, 1)) / _STEP))


def percentile(buckets: dict[int, int], share: float) -> float | None:
    """Return the percentile in milliseconds, or None without replies."""
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
