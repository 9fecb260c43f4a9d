import type { z } from 'zod';
import { unprocessable } from '#platform/errors.ts';

/** Returns the first message for each path that a schema refused. */
export const sentencesOf = ({ issues }: z.ZodError): Record<string, string> =>
  Object.fromEntries(issues.toReversed().map(({ path, message }) => [path.join('.'), message]));

/** Parses a value by a schema. @throws KontorError 422 that names what is wrong */
export function parsedOrRefused<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const fields = Object.entries(sentencesOf(parsed.error)).map(([field, message]) => ({ field, message }));
  throw unprocessable('live_input', `${fields[0]?.message ?? ''} Es wurde nichts geändert.`, fields.slice(0, 20));
}
