import { z } from 'zod';
import { MOST_ACTIONS } from './component-protocol.ts';

/** Props as the server signed them. Signed is not secret: who looks at the page can read them. */
export const SignedProps = z
  .strictObject({
    values: z.record(z.string(), z.json()),
    /** The component's id in its page, and the fingerprint of what its parent gave it. */
    id: z.string().max(200),
    inputs: z.string().max(64),
    version: z.number().int(),
    company: z.string().max(100),
    user: z.string().max(400),
    /** Milliseconds since 1970. */
    issued: z.number().int(),
    signature: z.string().max(64),
  })
  .meta({ id: 'SignedProps' });
export type SignedProps = z.infer<typeof SignedProps>;

const args = z.record(z.string(), z.json());

/** LVC-01: the part `data` of a request, as JSON text. */
export const LiveData = z
  .strictObject({
    props: SignedProps,
    /** What was typed, by writable path. */
    updated: z.record(z.string().max(100), z.json()).default({}),
    /** Children that the page shows: those whose fingerprint still holds are not sent again. */
    children: z
      .record(z.string().max(200), z.object({ fingerprint: z.string().max(64), tag: z.string().max(20).optional() }))
      .default({}),
    propsFromParent: SignedProps.optional(),
    /** Of the one action that stands in the address. */
    args: args.optional(),
    /** Of a request to `_batch`, in their order. */
    actions: z
      .array(z.strictObject({ name: z.string().max(60), args: args.default({}) }))
      .min(1)
      .max(MOST_ACTIONS)
      .optional(),
  })
  .meta({ id: 'LiveData' });
export type LiveData = z.infer<typeof LiveData>;

/** A number in the header of every page, linked to the place where it is mended. */
export type HeaderCount = {
  readonly label: string;
  readonly count: number;
  /** There may be more than `count`. */
  readonly more: boolean;
  readonly path: string;
};
