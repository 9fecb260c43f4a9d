/** Whether something is an object with names and values. For the few shapes that every page must know before zod is there. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
