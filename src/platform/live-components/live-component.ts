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

/** The context of a request. A company's data are read only through `principal`. `signal`: aborted when nobody waits any more. */
export type LiveContext = { readonly principal: Principal; readonly signal: AbortSignal };

/** Result of an action: changed props, messages about user input, or one of our own paths to navigate to. */
type Outcome<Props> = { props?: Partial<Props>; errors?: FieldErrors; redirect?: string };
type ActionInput<Props, Loaded, Args> = {
  props: Props;
  loaded: Loaded;
  args: Args;
  files: readonly UploadedFile[];
  context: LiveContext;
};
/** An action whose arguments were parsed, ready to run. */
type ReadyAction<Props, Loaded> = (
  input: Omit<ActionInput<Props, Loaded, undefined>, 'args'>,
) => Promise<Outcome<Props>>;
type Action<Props, Loaded> = {
  access: Permission | undefined;
  /** @throws KontorError 422 for arguments that the action does not take */
  read: (args: unknown) => ReadyAction<Props, Loaded>;
};
/** Declares an action: its arguments, its function, and a permission in addition to the component's. */
type Declare<Props, Loaded> = <Args extends z.ZodType>(
  args: Args,
  act: (input: ActionInput<Props, Loaded, z.output<Args>>) => Promise<Outcome<Props>>,
  access?: Permission,
) => Action<Props, Loaded>;

type View<Props, Loaded> = {
  props: Props;
  loaded: Loaded;
  errors: FieldErrors;
  /** Places a child here. `id` distinguishes children of one parent, `inputs` are the props that the parent decides. */
  child: (name: string, id: string, inputs: Values) => ChildSlot;
};

export type LiveDefinition<Schema extends z.ZodObject, Loaded> = {
  readonly name: string;
  /** Increased when the meaning of the props changes: open pages must then reload. */
  readonly version: number;
  /** Users without this permission get 404, as if the component did not exist. */
  readonly access: Permission;
  /** State that the page keeps between two requests, as JSON. Everybody who sees the page can read it: no secrets. */
  readonly props: Schema;
  /** Reads the first props from the page's address. */
  readonly first: z.ZodType<z.input<Schema>>;
  /** Props that the user may change: a schema for each path into the props. */
  readonly writable?: Readonly<Record<string, z.ZodType>>;
  /** Parts of a request that may be files. */
  readonly files?: Readonly<Record<string, FileRule>>;
  /** Props in the page's address, where `first` reads them: a shared address shows the same, and the back button works. */
  readonly address?: AddressRules;
  /**
   * For a component that is slow or far down the page: the page shows a placeholder first, and the component is requested once
   * the page is complete ('defer') or when it is about to scroll into view ('lazy').
   */
  readonly loading?: { readonly when: 'defer' | 'lazy'; readonly placeholder: Html };
  /** Whether it may be rendered again by GET. */
  readonly get?: boolean;
  /** Interval in ms at which it is requested again, and the action to run; without an action it is only rendered again. */
  readonly poll?: { readonly everyMs: number; readonly action?: string };
  /**
   * Loads the data to show at each request, with the user's current permissions.
   * @throws KontorError 404 for data of another company
   */
  readonly load: (props: z.output<Schema>, context: LiveContext) => Promise<Loaded>;
  readonly actions?: (
    declare: Declare<z.output<Schema>, Loaded>,
  ) => Readonly<Record<string, Action<z.output<Schema>, Loaded>>>;
  readonly render: (view: View<z.output<Schema>, Loaded>) => Html;
};

/** A request to a component whose props have been verified. */
export type LiveRequest = {
  values: Values;
  updated: Values;
  actions: readonly { name: string; args: unknown }[];
  files: readonly UploadedFile[];
};
/** A rendered component; `invalid`: some user input was refused. */
export type Shown = {
  values: Values;
  html: Html;
  invalid: boolean;
  /** Set on a placeholder: the component itself must still be requested. */
  waits?: 'defer' | 'lazy';
};

/** A component as used by the routes, independent of its props' type. */
export type LiveComponent = Pick<
  LiveDefinition<z.ZodObject, unknown>,
  'name' | 'version' | 'access' | 'files' | 'get' | 'poll' | 'address'
> & {
  readonly isWritable: (prop: string) => boolean;
  /** Renders it for the first time. `address`: values in the page's address. @throws KontorError 422 */
  readonly first: (address: unknown, context: LiveContext) => Promise<Shown>;
  /** Renders it for the first time as a child, with its parent's inputs. */
  readonly child: (inputs: Values, context: LiveContext) => Promise<Shown>;
  readonly answer: (request: LiveRequest, context: LiveContext) => Promise<Shown | { redirect: string }>;
};

/** Makes a component from its definition; a feature lists it (`liveComponents`), and it is found by its name. */
export function defineLiveComponent<Schema extends z.ZodObject, Loaded>(
  definition: LiveDefinition<Schema, Loaded>,
): LiveComponent {
  type Props = z.output<Schema>;
  const { name, props: schema, writable = {}, load, render } = definition;
  if (!/^[a-z][a-z0-9-]{0,40}$/.test(name)) throw new Error(`not a valid name of a live component: ${name}`);
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

/**
 * Finds an action and parses its arguments.
 * @throws KontorError for an unknown action (422), a missing permission (403), or wrong arguments (422)
 */
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
  if (!isOwnPath(path)) throw new Error(`a redirect may lead only to own paths, not to ${path}`);
  return path;
}
