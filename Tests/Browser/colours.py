"""How well colours can be told apart."""

import re


def contrast(first, second):
    """WCAG 2: how much lighter one colour is than the other."""
    def luminance(colour):
        parts = [int(part) / 255 for part in re.findall(r"[\d.]+", colour)[:3]]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dark, light = sorted((luminance(first), luminance(second)))
    return (light + 0.05) / (dark + 0.05)
