/**
 * Writes a value as one segment of a path. Browsers and other clients remove the segments `.` and `..` from every address, even
 * percent-encoded, so these two values get a tilde in front; and so does a value that already looks like that.
 */
export const toSegment = (value: string): string => (/^~*\.{1,2}$/.test(value) ? `~${value}` : value);

/** Reads the value that `toSegment` wrote. */
export const fromSegment = (segment: string): string => (/^~+\.{1,2}$/.test(segment) ? segment.slice(1) : segment);

/** Returns a value percent-encoded as one segment of a path. */
export const encodeSegment = (value: string): string => encodeURIComponent(toSegment(value));
