import { z } from 'zod';
import { MOST_ACTIONS } from './component-protocol.ts';

/** Props as signed by the server. Signed is not secret: users of the page can read them. */
export const SignedProps = z
  .strictObject({
    values: z.record(z.string(), z.json()),
    /** The component's id in its page, and the fingerprint of the inputs from its parent. */
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
    /** Values typed by the user, by writable path. */
    updated: z.record(z.string().max(100), z.json()).default({}),
    /** Children shown on the page: those whose fingerprint is unchanged are not sent again. */
    children: z
      .record(z.string().max(200), z.object({ fingerprint: z.string().max(64), tag: z.string().max(20).optional() }))
      .default({}),
    propsFromParent: SignedProps.optional(),
    /** Arguments of the single action in the URL. */
    args: args.optional(),
    /** Actions of a request to `_batch`, in order. */
    actions: z
      .array(z.strictObject({ name: z.string().max(60), args: args.default({}) }))
      .min(1)
      .max(MOST_ACTIONS)
      .optional(),
  })
  .meta({ id: 'LiveData' });
export type LiveData = z.infer<typeof LiveData>;

/** A number in the header of every page, linked to the page where it can be resolved. */
export type HeaderCount = {
  readonly label: string;
  readonly count: number;
  /** There may be more than `count`. */
  readonly more: boolean;
  readonly path: string;
};
