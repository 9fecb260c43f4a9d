/** Tells whether a value is an object with named members. For the few shapes that a page must check before zod is loaded. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
