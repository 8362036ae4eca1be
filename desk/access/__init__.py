"""Who gets in, who may see and do what, and the trail of what they did."""
