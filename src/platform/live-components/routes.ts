import type { FastifyInstance, FastifyReply } from 'fastify';
import { api } from '#shared/http/api.ts';
import { LIVE_MEDIA_TYPE, LIVE_REDIRECT_HEADER } from '#shared/live/component-protocol.ts';
import type { LiveData } from '#shared/live/components.ts';
import type { Clock } from '#platform/clock.ts';
import { KontorError, unprocessable } from '#platform/errors.ts';
import { FailureLimiter } from '#platform/http/limits/failure-limiter.ts';
import type { SharedCounts } from '#platform/http/limits/shared-counts.ts';
import { type Principal, route } from '#platform/http/server.ts';
import { draw, type Drawing } from './draw.ts';
import type { LiveComponent, LiveContext, LiveRequest } from './live-component.ts';
import { readData, readForm } from './read-request.ts';
import { LiveComponents } from './registry.ts';
import { liveComponentNotFound, PROPS_FORGED, PropsSigner } from './signed-props.ts';
import type { UploadedFile } from './uploaded-file.ts';

export type LiveComponentDeps = { secret: string; clock: Clock; counts?: SharedCounts | undefined };

/** Forged props that one address may send per window. Further requests are refused unread, as they are guesses. */
const MOST_FORGED = 10;
const FORGED_MS = 10 * 60_000;
const forgedLimit = { limit: MOST_FORGED, windowMs: FORGED_MS, what: 'ungültige Anfragen von Ihrem Anschluss' };

/** Registers the routes that all live components share (LVC-01). */
export function liveComponentRoutes(
  app: FastifyInstance,
  { secret, clock, counts }: LiveComponentDeps,
  list: readonly LiveComponent[],
): void {
  const components = new LiveComponents(list);
  const signer = new PropsSigner(secret, clock);
  const forgeries = new FailureLimiter(clock, forgedLimit, counts);
  /**
   * @throws KontorError for props that we did not sign, that belong to another user, or that are too old; 429 if an address has
   * sent too many forged ones
   */
  const verify = (component: LiveComponent, data: LiveData, principal: Principal, address: string) => {
    const attempt = forgeries.take(address);
    try {
      verifyProps(signer, component, data, principal);
    } catch (error) {
      if (!(error instanceof KontorError && error.code === PROPS_FORGED)) attempt.release();
      throw error;
    }
    attempt.release();
  };

  route(app, api.liveComponentFirst, async ({ principal, params, query, signal }) => {
    const component = components.find(params.component, principal);
    const context: LiveContext = { principal, signal };
    const shown = await component.first(query, context);
    return { html: await draw({ components, signer, context }, component, shown, { id: component.name, inputs: '' }) };
  });

  route(app, api.liveComponentGet, ({ principal, params, query, signal, request, reply }) => {
    const component = components.find(params.component, principal);
    if (component.get !== true) throw liveComponentNotFound();
    const data = readData(query.data);
    if (data.args !== undefined || data.actions !== undefined)
      throw unprocessable('live_get', 'Aktionen werden nur mit POST ausgeführt. Es wurde nichts geändert.');
    verify(component, data, principal, request.ip);
    return answer(
      { components, signer, context: { principal, signal } },
      component,
      { data, actions: [], files: [] },
      reply,
    );
  });

  route(app, api.liveComponent, async ({ principal, params, signal, request, reply }) => {
    const component = components.find(params.component, principal);
    const { data, files } = await readForm(request, component.files);
    verify(component, data, principal, request.ip);
    return answer(
      { components, signer, context: { principal, signal } },
      component,
      { data, actions: [], files },
      reply,
    );
  });

  route(app, api.liveComponentAction, async ({ principal, params, signal, request, reply }) => {
    const component = components.find(params.component, principal);
    const { data, files } = await readForm(request, component.files);
    verify(component, data, principal, request.ip);
    const actions = actionsOf(params.action, data);
    return answer({ components, signer, context: { principal, signal } }, component, { data, actions, files }, reply);
  });
}

/** `_batch` lists its actions in the body; any other path names one action. */
function actionsOf(action: string, { args, actions }: LiveData): LiveRequest['actions'] {
  if (action !== '_batch') return [{ name: action, args: args ?? {} }];
  if (actions === undefined) throw unprocessable('live_batch', 'Es wurde keine Aktion genannt.');
  return actions;
}

function verifyProps(
  signer: PropsSigner,
  component: LiveComponent,
  { props, propsFromParent }: LiveData,
  principal: Principal,
): void {
  signer.verify(component, props, principal);
  if (propsFromParent === undefined) return;
  signer.verify(component, propsFromParent, principal);
  if (propsFromParent.id !== props.id) throw mixedUp();
}

/** The content of a request whose props have been verified. */
type LiveCall = { data: LiveData; actions: LiveRequest['actions']; files: readonly UploadedFile[] };

async function answer(
  drawing: Drawing,
  component: LiveComponent,
  { data, actions, files }: LiveCall,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { context } = drawing;
  const { props, propsFromParent, updated, children } = data;
  // User input in a child takes precedence over the props from its parent; all other props come from the parent.
  const given = Object.entries(propsFromParent?.values ?? {}).filter(([name]) => !component.isWritable(name));
  const values = { ...props.values, ...Object.fromEntries(given) };
  const result = await component.answer({ values, updated, actions, files }, context);
  reply.header('cache-control', 'no-store');
  if ('redirect' in result)
    return reply.code(204).header('location', result.redirect).header(LIVE_REDIRECT_HEADER, '1').send();
  const known = new Map(Object.entries(children).map(([id, { fingerprint }]) => [id, fingerprint]));
  const place = { id: props.id, inputs: propsFromParent?.inputs ?? props.inputs };
  const html = await draw(drawing, component, result, place, known);
  return reply
    .code(result.invalid ? 422 : 200)
    .type(`${LIVE_MEDIA_TYPE}; charset=utf-8`)
    .send(html);
}

const mixedUp = () =>
  new KontorError(
    403,
    PROPS_FORGED,
    'Die Angaben dieser Ansicht passen nicht zusammen. Bitte laden Sie die Seite neu.',
  );
