import { RENDER } from '#shared/live/component-protocol.ts';
import { SignedProps } from '#shared/live/components.ts';
import { liveComponentCalls } from '#shared/live/component-calls.ts';
import { pathOf } from '#shared/http/call.ts';
import { addressOf, stepsOf } from './address.ts';
import { ChildSlot, escapeHtml, type Html } from './html.ts';
import type { LiveComponent, LiveContext, Shown } from './live-component.ts';
import type { LiveComponents } from './registry.ts';
import { fingerprintOf, type PropsSigner } from './signed-props.ts';

/** Maximum nesting of components, which stops a component that contains itself. */
const MOST_DEPTH = 10;
/** An own element name, so that the browser's comparison of old and new HTML never takes another element for a component. */
const TAG = 'live-component';

export type Place = Pick<SignedProps, 'id' | 'inputs'>;
/** Fingerprints of the children that the page already shows, by their ids. */
export type KnownChildren = ReadonlyMap<string, string>;

export type Drawing = {
  components: LiveComponents;
  signer: PropsSigner;
  context: LiveContext;
};

/** Returns a component's HTML with signed props and children. Children shown already with the same inputs become placeholders. */
export async function draw(
  drawing: Drawing,
  component: LiveComponent,
  shown: Shown,
  place: Place,
  known: KnownChildren = new Map(),
  depth = 0,
): Promise<string> {
  if (depth > MOST_DEPTH) throw new Error(`live components are nested too deep: ${component.name}`);
  const { signer, context } = drawing;
  const props = signer.sign(component, { ...place, values: jsonValues(shown.values) }, context.principal);
  const attributes: Record<string, string> = {
    id: place.id,
    'data-live-component': component.name,
    'data-live-url': pathOf(liveComponentCalls.liveComponent, { component: component.name }),
    'data-live-props': JSON.stringify(props),
    'data-live-fingerprint': place.inputs,
    ...(component.get === true ? { 'data-live-get': '' } : {}),
    ...(shown.waits === undefined ? {} : { 'data-live-loading': shown.waits }),
    // A component that loads when it scrolls into view may never load: it is not marked as busy.
    ...(shown.waits === 'defer' ? { 'aria-busy': 'true' } : {}),
    ...(component.address === undefined
      ? {}
      : {
          'data-live-address': JSON.stringify(addressOf(shown.values, component.address)),
          'data-live-steps': stepsOf(component.address).join(' '),
        }),
    ...(component.poll === undefined
      ? {}
      : { 'data-poll': `delay(${component.poll.everyMs})|${component.poll.action ?? RENDER}` }),
  };
  const inner = await drawParts(drawing, shown.html, place.id, known, depth);
  return `<${TAG}${attributesText(attributes)}>${inner}</${TAG}>`;
}

async function drawParts(
  drawing: Drawing,
  { parts }: Html,
  parent: string,
  known: KnownChildren,
  depth: number,
): Promise<string> {
  const seen = new Set<string>();
  let text = '';
  for (const part of parts) {
    if (part instanceof ChildSlot) {
      if (seen.has(part.id)) throw new Error(`two children have the id ${part.id}`);
      seen.add(part.id);
      text += await drawChild(drawing, part, `${parent}-${part.id}`, known, depth);
    } else text += part;
  }
  return text;
}

async function drawChild(
  drawing: Drawing,
  { name, inputs }: ChildSlot,
  id: string,
  known: KnownChildren,
  depth: number,
): Promise<string> {
  const { components, signer, context } = drawing;
  const component = components.find(name, context.principal);
  const fingerprint = fingerprintOf(name, inputs);
  const before = known.get(id);
  if (before === undefined) {
    const shown = await component.child(inputs, context);
    return draw(drawing, component, shown, { id, inputs: fingerprint }, new Map(), depth + 1);
  }
  if (before === fingerprint) return placeholder({ id, 'data-live-preserve': '' });
  // The child keeps its user input: it requests itself, with these props from its parent replacing its own.
  const props = signer.sign(component, { id, inputs: fingerprint, values: jsonValues(inputs) }, context.principal);
  return placeholder({ id, 'data-live-preserve': '', 'data-live-props-from-parent': JSON.stringify(props) });
}

const placeholder = (attributes: Readonly<Record<string, string>>): string =>
  `<${TAG}${attributesText(attributes)}></${TAG}>`;

const attributesText = (attributes: Readonly<Record<string, string>>): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
    .join('');

/** Returns props as they will come back from the page: values that JSON cannot express are dropped, not signed. */
function jsonValues(values: Readonly<Record<string, unknown>>): SignedProps['values'] {
  return SignedProps.shape.values.parse(JSON.parse(JSON.stringify(values)));
}
