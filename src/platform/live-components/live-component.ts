import type { z } from 'zod';
import type { Permission } from '#shared/http/call.ts';
import { KontorError, notAllowed } from '#platform/errors.ts';
import type { Principal } from '#platform/http/server.ts';
import type { AddressRules } from './address.ts';
import { ChildSlot, type Html } from './html.ts';
import { isOwnPath } from '#shared/values/own-path.ts';
import { parsedOrRefused, sentencesOf } from './refusals.ts';
import type { FileRule, UploadedFile } from './uploaded-file.ts';
import { type FieldErrors, updateProps, type Values } from './writable-paths.ts';

/** Who asks; a company's data are found by this alone. `signal`: aborted when nobody waits any more. */
export type LiveContext = { readonly principal: Principal; readonly signal: AbortSignal };

/** What an action leaves: other props, sentences about what was typed, or a path of our own to go to. */
type Outcome<Props> = { props?: Partial<Props>; errors?: FieldErrors; redirect?: string };
type ActionInput<Props, Loaded, Args> = {
  props: Props;
  loaded: Loaded;
  args: Args;
  files: readonly UploadedFile[];
  context: LiveContext;
};
/** An action with its arguments read: ready to be done. */
type ReadyAction<Props, Loaded> = (
  input: Omit<ActionInput<Props, Loaded, undefined>, 'args'>,
) => Promise<Outcome<Props>>;
type Action<Props, Loaded> = {
  access: Permission | undefined;
  /** @throws KontorError 422 for arguments that the action does not take */
  read: (args: unknown) => ReadyAction<Props, Loaded>;
};
/** Declares an action: its arguments, what it does, and a permission beyond the component's own. */
type Declare<Props, Loaded> = <Args extends z.ZodType>(
  args: Args,
  act: (input: ActionInput<Props, Loaded, z.output<Args>>) => Promise<Outcome<Props>>,
  access?: Permission,
) => Action<Props, Loaded>;

type View<Props, Loaded> = {
  props: Props;
  loaded: Loaded;
  errors: FieldErrors;
  /** Puts a child here. `id` tells children of one parent apart, `inputs` are the props that the parent decides. */
  child: (name: string, id: string, inputs: Values) => ChildSlot;
};

export type LiveDefinition<Schema extends z.ZodObject, Loaded> = {
  readonly name: string;
  /** Raised when props get another meaning: pages that are open then are asked to load anew. */
  readonly version: number;
  /** Without this permission the component does not exist. */
  readonly access: Permission;
  /** What the page keeps between two requests, as JSON. Everybody who looks at the page can read it: no secrets. */
  readonly props: Schema;
  /** The first props, read from what the page's address says. */
  readonly first: z.ZodType<z.input<Schema>>;
  /** What may be typed: a schema for each path into the props. */
  readonly writable?: Readonly<Record<string, z.ZodType>>;
  /** Parts of a request that may be files. */
  readonly files?: Readonly<Record<string, FileRule>>;
  /** Props that the page's address tells, and `first` reads from there: a shared address shows the same, and the back button works. */
  readonly address?: AddressRules;
  /**
   * It is costly or far down: the page comes with a placeholder, and the component is asked for once the page stands ('defer') or
   * once it is about to be seen ('lazy').
   */
  readonly loading?: { readonly when: 'defer' | 'lazy'; readonly placeholder: Html };
  /** Whether it may be drawn anew by GET. */
  readonly get?: boolean;
  /** Milliseconds after which it is asked again, and the action; drawn anew without one. */
  readonly poll?: { readonly everyMs: number; readonly action?: string };
  /** Reads what is shown anew at each request, with the rights of that moment. @throws KontorError 404 for what is not the company's */
  readonly load: (props: z.output<Schema>, context: LiveContext) => Promise<Loaded>;
  readonly actions?: (
    declare: Declare<z.output<Schema>, Loaded>,
  ) => Readonly<Record<string, Action<z.output<Schema>, Loaded>>>;
  readonly render: (view: View<z.output<Schema>, Loaded>) => Html;
};

/** What is asked of a component whose props are known to be ours. */
export type LiveRequest = {
  values: Values;
  updated: Values;
  actions: readonly { name: string; args: unknown }[];
  files: readonly UploadedFile[];
};
/** A component as it is now; `invalid`: something that was typed could not be taken. */
export type Shown = {
  values: Values;
  html: Html;
  invalid: boolean;
  /** A placeholder: the component itself is still to be asked for. */
  waits?: 'defer' | 'lazy';
};

/** A component as the routes see it, whatever its props are. */
export type LiveComponent = Pick<
  LiveDefinition<z.ZodObject, unknown>,
  'name' | 'version' | 'access' | 'files' | 'get' | 'poll' | 'address'
> & {
  readonly isWritable: (prop: string) => boolean;
  /** How it is first shown. `address`: what the page's address says. @throws KontorError 422 */
  readonly first: (address: unknown, context: LiveContext) => Promise<Shown>;
  /** The same for a child, with what its parent gives it. */
  readonly child: (inputs: Values, context: LiveContext) => Promise<Shown>;
  readonly answer: (request: LiveRequest, context: LiveContext) => Promise<Shown | { redirect: string }>;
};

/** Makes a component of its definition; a feature lists it (`liveComponents`), and it is found by its name. */
export function defineLiveComponent<Schema extends z.ZodObject, Loaded>(
  definition: LiveDefinition<Schema, Loaded>,
): LiveComponent {
  type Props = z.output<Schema>;
  const { name, props: schema, writable = {}, load, render } = definition;
  if (!/^[a-z][a-z0-9-]{0,40}$/.test(name)) throw new Error(`not a name of a live component: ${name}`);
  const actions = definition.actions?.((args, act, access) => ({
    access,
    read: (given) => {
      const read = parsedOrRefused(args, given);
      return (input) => act({ ...input, args: read });
    },
  }));
  const show = (props: Props, loaded: Loaded, errors: FieldErrors): Shown => ({
    values: props,
    html: render({ props, loaded, errors, child: (child, id, inputs) => new ChildSlot(child, id, inputs) }),
    invalid: Object.keys(errors).length > 0,
  });
  const fresh = async (values: unknown, context: LiveContext): Promise<Shown> => {
    const props = parsedOrRefused(schema, values);
    if (definition.loading === undefined) return show(props, await load(props, context), {});
    const { when, placeholder } = definition.loading;
    return { values: props, html: placeholder, invalid: false, waits: when };
  };
  const answer = async (request: LiveRequest, context: LiveContext): Promise<Shown | { redirect: string }> => {
    const ready = request.actions.map(({ name: wanted, args }) => readAction(actions, wanted, args, context));
    const updated = updateProps(request.values, request.updated, writable);
    const read = schema.safeParse(updated.values);
    let props = read.success ? read.data : parsedOrRefused(schema, request.values);
    let errors = read.success ? updated.errors : { ...updated.errors, ...sentencesOf(read.error) };
    let loaded = await load(props, context);
    for (const act of ready) {
      if (Object.keys(errors).length > 0) break;
      const outcome = await act({ props, loaded, files: request.files, context });
      if (outcome.redirect !== undefined) return { redirect: ownPath(outcome.redirect) };
      errors = outcome.errors ?? {};
      props = parsedOrRefused(schema, { ...props, ...outcome.props });
      loaded = await load(props, context);
    }
    return show(props, loaded, errors);
  };
  return {
    name,
    version: definition.version,
    access: definition.access,
    get: definition.get ?? false,
    ...(definition.files === undefined ? {} : { files: definition.files }),
    ...(definition.poll === undefined ? {} : { poll: definition.poll }),
    ...(definition.address === undefined ? {} : { address: definition.address }),
    isWritable: (prop) => Object.keys(writable).some((path) => path === prop || path.startsWith(`${prop}.`)),
    first: (address, context) => fresh(parsedOrRefused(definition.first, address), context),
    child: fresh,
    answer,
  };
}

/** @throws KontorError for an action that is not on the list (422), not allowed (403), or given wrong arguments (422) */
function readAction<Props, Loaded>(
  actions: Readonly<Record<string, Action<Props, Loaded>>> | undefined,
  name: string,
  args: unknown,
  { principal }: LiveContext,
): ReadyAction<Props, Loaded> {
  const action = actions !== undefined && Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined)
    throw new KontorError(422, 'live_action_unknown', 'Diese Aktion gibt es hier nicht. Es wurde nichts geändert.');
  if (action.access !== undefined && !principal.permissions.includes(action.access)) throw notAllowed();
  return action.read(args);
}

function ownPath(path: string): string {
  if (!isOwnPath(path)) throw new Error(`a redirect leads to own paths only, not to ${path}`);
  return path;
}
