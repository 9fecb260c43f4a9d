import type { z } from 'zod';
import { KontorError } from '#platform/errors.ts';
import { sentencesOf } from './refusals.ts';

export type Values = Readonly<Record<string, unknown>>;
/** Messages about refused user input: a German sentence by writable path. */
export type FieldErrors = Readonly<Record<string, string>>;

/**
 * Returns the props with user input inserted. Input that its path's schema refuses leaves the prop unchanged and gives a
 * message.
 * @throws KontorError 422 for a path that is not writable
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

/** The paths come from the definition, never from the client, so none of them reaches an object's prototype. */
function withValue(values: Values, [name = '', ...deeper]: readonly string[], value: unknown): Values {
  if (deeper.length === 0) return { ...values, [name]: value };
  const inner = values[name];
  return { ...values, [name]: withValue(isValues(inner) ? inner : {}, deeper, value) };
}

const isValues = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
