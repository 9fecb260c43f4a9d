import type { DuckDBValue } from '@duckdb/node-api';
import { z } from 'zod';
import type { DuckOptions } from './instance.ts';

// What a program and the process that computes for it tell each other. Both are this program: the outside of a message is read by a
// schema, the many values in it are not looked at one by one.

const ways = z.enum(['computed', 'stream', 'streamTexts']);
export type Way = z.infer<typeof ways>;
const values = z.custom<DuckDBValue[]>(Array.isArray);

/** `next`: the reader wants more rows of that question; `end`: no more. */
export const ToCalculator = z.discriminatedUnion('do', [
  z.object({ do: z.literal('open'), options: z.custom<DuckOptions>((value) => typeof value === 'object') }),
  z.object({ do: z.literal('ask'), id: z.int(), connection: z.int(), way: ways, sql: z.string(), values }),
  z.object({ do: z.literal('next'), id: z.int() }),
  z.object({ do: z.literal('end'), id: z.int() }),
  z.object({ do: z.literal('interrupt'), connection: z.int() }),
  z.object({ do: z.literal('close'), connection: z.int() }),
]);
export type ToCalculator = z.infer<typeof ToCalculator>;

/** Rows of a question, the last ones with `done`; or why it failed. */
export const FromCalculator = z.union([
  z.object({ id: z.int(), rows: z.custom<unknown[]>(Array.isArray), done: z.boolean() }),
  z.object({ id: z.int(), error: z.string() }),
]);
export type FromCalculator = z.infer<typeof FromCalculator>;
