import type { z } from 'zod';
import { KontorError } from '#platform/errors.ts';
import { sentencesOf } from './refusals.ts';

export type Values = Readonly<Record<string, unknown>>;
/** What is wrong with what was typed, a German sentence by writable path. */
export type FieldErrors = Readonly<Record<string, string>>;

/**
 * Props with what was typed put in. What a path's schema refuses is left as it was, with a sentence.
 * @throws KontorError 422 for a path that nobody may write
 */
export function updateProps(
  values: Values,
  updated: Values,
  writable: Readonly<Record<string, z.ZodType>>,
): { values: Values; errors: FieldErrors } {
  const errors: Record<string, string> = {};
  let result = values;
  for (const [path, given] of Object.entries(updated)) {
    const schema = Object.hasOwn(writable, path) ? writable[path] : undefined;
    if (schema === undefined)
      throw new KontorError(
        422,
        'live_path',
        'Eine dieser Angaben lässt sich hier nicht ändern. Es wurde nichts geändert.',
      );
    const parsed = schema.safeParse(given);
    if (parsed.success) result = withValue(result, path.split('.'), parsed.data);
    else errors[path] = Object.values(sentencesOf(parsed.error))[0] ?? '';
  }
  return { values: result, errors };
}

/** The paths are the definition's, never the client's, so no name of an object's prototype is among them. */
function withValue(values: Values, [name = '', ...deeper]: readonly string[], value: unknown): Values {
  if (deeper.length === 0) return { ...values, [name]: value };
  const inner = values[name];
  return { ...values, [name]: withValue(isValues(inner) ? inner : {}, deeper, value) };
}

const isValues = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
