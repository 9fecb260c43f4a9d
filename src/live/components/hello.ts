import { z } from 'zod';
import { pages } from '#shared/pages.ts';
import { integerText } from '#shared/values/integer-text.ts';
import { KontorError } from '#platform/errors.ts';
import { html } from '#platform/live-components/html.ts';
import { calendarDay, wholeNumber } from '#platform/live-components/input.ts';
import { defineLiveComponent, type LiveComponent } from '#platform/live-components/live-component.ts';

const name = z.string().trim().max(40);

const helloProps = z.object({
  name: name.default(''),
  amount: z.number().int().default(1),
  settings: z.object({ day: z.string().default('') }).prefault({}),
  sum: z.number().int().default(0),
  picture: z.string().default(''),
});

/** HDR-07: demonstrates all features of a live component. It stores nothing. */
const hello = defineLiveComponent({
  name: 'hello',
  version: 1,
  access: 'read',
  props: helloProps,
  first: z
    .object({ name: name.catch(''), summe: wholeNumber(0, 1_000_000).catch(0) })
    .transform(({ name: from, summe: sum }) => ({ name: from, sum })),
  address: { name: { name: 'name' }, sum: { name: 'summe', step: true } },
  writable: {
    name,
    amount: wholeNumber(1, 1000),
    'settings.day': z.union([z.literal(''), calendarDay], 'Erwartet wird ein Tag, den es gibt.'),
  },
  files: { picture: { kinds: ['png', 'jpg'], mostBytes: 256 * 1024 } },
  poll: { everyMs: 2000 },
  load: async (_props, { principal }) => ({ mayClear: principal.permissions.includes('edit') }),
  actions: (declare) => ({
    add: declare(z.strictObject({ times: wholeNumber(1, 10).default(1) }), async ({ props, args }) => ({
      props: { sum: props.sum + props.amount * args.times },
    })),
    clear: declare(z.strictObject({}), async () => ({ props: { sum: 0 } }), 'edit'),
    show: declare(z.strictObject({}), async ({ files: [file] }) =>
      file === undefined
        ? { errors: { picture: 'Bitte wählen Sie ein Bild.' } }
        : { props: { picture: `bild.${file.kind}, ${integerText(file.bytes.length)} Bytes` } },
    ),
    leave: declare(z.strictObject({}), async () => ({ redirect: pages.account.path })),
    fail: declare(z.strictObject({}), async () => {
      throw new KontorError(409, 'hello_failed', 'Diese Aktion misslingt immer: Sie führt einen Fehler vor.');
    }),
  }),
  render: ({ props, loaded, errors, child }) => html`
    <div class="k-live-fields">
      <label
        >Ihr Name
        <input data-model="name" maxlength="60" autocomplete="off" value="${props.name}" ${invalid(errors['name'])}
      /></label>
      <label
        >Menge <input data-model="amount" inputmode="numeric" value="${props.amount}" ${invalid(errors['amount'])}
      /></label>
      <label
        >Tag
        <input
          data-model="settings.day"
          placeholder="2026-01-31"
          value="${props.settings.day}"
          ${invalid(errors['settings.day'])}
      /></label>
    </div>
    ${Object.values(errors).map((sentence) => html`<p class="k-live-error" role="alert">${sentence}</p>`)}
    ${child('hello-greeting', 'greeting', { name: props.name })}
    <p>Summe: <output>${integerText(props.sum)}</output></p>
    <div class="k-live-buttons">
      <button type="button" data-action="add">Addieren</button>
      <button type="button" data-action="add" data-args='{"times":10}'>Zehnmal addieren</button>
      ${loaded.mayClear && html`<button type="button" data-action="clear">Leeren</button>`}
      <button type="button" data-action="leave">Zum Konto</button>
      <button type="button" data-action="fail">Fehler zeigen</button>
    </div>
    <div class="k-live-buttons">
      <label>Bild (PNG, JPG) <input type="file" name="picture" accept=".png,.jpg" data-skip-morph /></label>
      <button type="button" data-action="show" data-files>Bild prüfen</button>
      <span role="status">${props.picture}</span>
    </div>
    ${child('hello-soon', 'soon', {})}
    <div class="k-live-far">${child('hello-seen', 'seen', {})}</div>
  `,
});

/** A child with state of its own: its parent only sets the name. */
const greeting = defineLiveComponent({
  name: 'hello-greeting',
  version: 1,
  access: 'read',
  props: z.object({ name: name.default(''), count: z.number().int().default(0), note: z.string().default('') }),
  first: z.object({}),
  writable: { note: z.string().max(100) },
  get: true,
  load: async () => null,
  actions: (declare) => ({
    greet: declare(z.strictObject({}), async ({ props }) => ({ props: { count: props.count + 1 } })),
  }),
  render: ({ props }) => html`
    <p>Guten Tag${props.name === '' ? '' : `, ${props.name}`}! Gegrüßt: <output>${integerText(props.count)}</output></p>
    <div class="k-live-buttons">
      <label>Notiz <input data-model="note" value="${props.note}" /></label>
      <button type="button" data-action="greet">Grüßen</button>
    </div>
  `,
});

/** A part that is loaded after its page: once the page is displayed, or once the user scrolls to it. */
const late = (part: string, when: 'defer' | 'lazy', words: string) =>
  defineLiveComponent({
    name: part,
    version: 1,
    access: 'read',
    props: z.object({}),
    first: z.object({}),
    get: true,
    loading: { when, placeholder: html`<p class="k-muted">Wird geladen …</p>` },
    load: async () => null,
    render: () => html`<p>${words}</p>`,
  });

/** Returns the attribute that marks a field with a refused value. */
const invalid = (sentence: string | undefined) => (sentence === undefined ? null : html`aria-invalid="true"`);

export const helloComponents: readonly LiveComponent[] = [
  hello,
  greeting,
  late('hello-soon', 'defer', 'Nachgeladen, sobald die Seite stand.'),
  late('hello-seen', 'lazy', 'Nachgeladen, als es zu sehen war.'),
];
