import { z } from 'zod';
import type { Receiver } from '#platform/crypto/credentials.ts';
import { unprocessable } from '#platform/errors.ts';
import { accountField, type ConnectorKind } from '#marketplaces/connector-kind.ts';
import type { AccountField, MarketplaceConnector } from '#shared/marketplace-accounts/schema.ts';

export type Texts = Readonly<Record<string, string>>;
/** A field of an account form: its words, its id, and whether it is a secret. */
export type FormField = NonNullable<ReturnType<typeof accountField.get>> & { id: string; secret: boolean };

/** Returns the fields of a connector's account form, settings first, then secrets. @throws Error if a field has no words */
export function formFields({ settings, secrets }: Pick<ConnectorKind, 'settings' | 'secrets'>): FormField[] {
  return [settings, secrets].flatMap(({ shape }) =>
    Object.entries(shape).map(([id, schema]) => {
      const words = accountField.get(schema);
      if (words === undefined) throw new Error(`the account form field ${id} has no label`);
      return { ...words, id, secret: shape === secrets.shape };
    }),
  );
}

/** Parses an account's stored settings or secrets, of any connector; values that are not texts are dropped. */
const StoredTexts = z
  .record(z.string(), z.unknown())
  .transform((all): Texts =>
    Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
  );
export const storedTexts = (json: string | undefined): Texts => StoredTexts.parse(JSON.parse(json ?? '{}'));

/** Returns the addresses that an account's secrets may be sent to: every address that any secret is bound to. */
export function receiverOf(kind: Pick<ConnectorKind, 'settings' | 'secrets'>, settings: Texts): Receiver {
  const addresses = formFields(kind).flatMap(({ boundTo = [] }) => boundTo);
  return Object.fromEntries(addresses.map((id) => [id, settings[id] ?? '']));
}

/** Returns a kind of connector as the browser needs it to build the account form. */
export function describeConnector(kind: ConnectorKind): MarketplaceConnector {
  const { id, label, marketplaces, demo = '', sellerHelp, groups } = kind;
  return {
    id,
    label,
    marketplaces: [...marketplaces],
    demo,
    sellerHelp,
    groups: [...groups],
    fields: formFields(kind).map(describeField),
  };
}

function describeField({ id, label, help = '', secret, required, choices, group }: FormField): AccountField {
  return {
    id,
    label,
    help,
    kind: choices === undefined ? 'text' : 'choice',
    secret,
    required: required === true,
    choices: Object.entries(choices ?? {}).map(([value, words]) => ({ value, label: words })),
    group: group ?? null,
  };
}

/** Parses a submitted form with the connector's schemas. @throws 422 naming the fields that are wrong or unknown */
export function readForm(kind: ConnectorKind, sent: Texts): Record<string, string> {
  const form = z.object({ ...kind.settings.shape, ...kind.secrets.shape });
  const unknown = Object.keys(sent).filter((id) => !Object.hasOwn(form.shape, id));
  const parsed = form.safeParse(sent);
  const wrong = unknown.map((id) => ({ id, message: 'Diese Angabe gibt es hier nicht' }));
  for (const { path, message } of parsed.error?.issues ?? []) wrong.push({ id: String(path[0] ?? ''), message });
  if (!parsed.success || wrong.length > 0) throw wrongFields('invalid', 'Angaben des Kontos sind nicht gültig.', wrong);
  return parsed.data;
}

/** Returns a 422 error that names the wrong fields by their ids in the form. */
export const wrongFields = (code: string, message: string, wrong: readonly { id: string; message: string }[]) =>
  unprocessable(
    code,
    `${message} Es wurde nichts gespeichert.`,
    wrong.map(({ id, message: words }) => ({ field: `settings.${id}`, message: words })),
  );
