import { z } from 'zod';
import type { BoundValue } from './connection.ts';
import type { DuckOptions } from './instance.ts';

// Messages between a program and its DuckDB process. Both are this program: only the outer shape of a message is parsed by a
// schema, its many values are not checked one by one.

const ways = z.enum(['computed', 'stream', 'streamTexts']);
export type Way = z.infer<typeof ways>;
const values = z.custom<BoundValue[]>(Array.isArray);

const task = { module: z.string(), name: z.string(), question: z.unknown() };

/** `next`: the reader wants more rows of that question; `end`: it wants no more. */
export const ToCalculator = z.discriminatedUnion('do', [
  z.object({ do: z.literal('open'), options: z.custom<DuckOptions>((value) => typeof value === 'object') }),
  z.object({ do: z.literal('ask'), id: z.int(), connection: z.int(), way: ways, sql: z.string(), values }),
  z.object({ do: z.literal('answer'), id: z.int(), connection: z.int(), ...task }),
  z.object({ do: z.literal('next'), id: z.int() }),
  z.object({ do: z.literal('end'), id: z.int() }),
  z.object({ do: z.literal('interrupt'), connection: z.int() }),
  z.object({ do: z.literal('close'), connection: z.int() }),
]);
export type ToCalculator = z.infer<typeof ToCalculator>;

const refused = z.object({
  status: z.int(),
  code: z.string(),
  message: z.string(),
  fields: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  retryAfter: z.number().optional(),
});

/**
 * Rows of a question, or bytes of a task's answer, the last ones with `done`; or its failure: `refused` is an error to show to
 * the user, `error` any other.
 */
export const FromCalculator = z.union([
  z.object({ id: z.int(), rows: z.custom<unknown[]>(Array.isArray), done: z.boolean() }),
  z.object({ id: z.int(), refused }),
  z.object({ id: z.int(), error: z.string() }),
]);
export type FromCalculator = z.infer<typeof FromCalculator>;
