import { z } from 'zod';
import type { Receiver } from '#platform/crypto/credentials.ts';
import { unprocessable } from '#platform/errors.ts';
import { accountField, type ConnectorKind } from '#marketplaces/connector-kind.ts';
import type { AccountField, MarketplaceConnector } from '#shared/marketplace-accounts/schema.ts';

export type Texts = Readonly<Record<string, string>>;
/** A field of an account with all that is known of it. */
export type FormField = NonNullable<ReturnType<typeof accountField.get>> & { id: string; secret: boolean };

/** The fields of a connector's accounts: settings, then secrets. @throws Error for one without words */
export function formFields({ settings, secrets }: Pick<ConnectorKind, 'settings' | 'secrets'>): FormField[] {
  return [settings, secrets].flatMap(({ shape }) =>
    Object.entries(shape).map(([id, schema]) => {
      const words = accountField.get(schema);
      if (words === undefined) throw new Error(`nobody could fill in ${id}: it has no words`);
      return { ...words, id, secret: shape === secrets.shape };
    }),
  );
}

/** What is stored of an account, whoever its connector is; what is no text is not a field of the form. */
const StoredTexts = z
  .record(z.string(), z.unknown())
  .transform((all): Texts =>
    Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
  );
export const storedTexts = (json: string | undefined): Texts => StoredTexts.parse(JSON.parse(json ?? '{}'));

/** Whom an account's secrets go to: the addresses that any of them is bound to. */
export function receiverOf(kind: Pick<ConnectorKind, 'settings' | 'secrets'>, settings: Texts): Receiver {
  const addresses = formFields(kind).flatMap(({ boundTo = [] }) => boundTo);
  return Object.fromEntries(addresses.map((id) => [id, settings[id] ?? '']));
}

/** A kind of connector as the browser makes its form from it. */
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

/** What was sent, as the connector's schemas read it. @throws 422 with the fields that are wrong or unknown */
export function readForm(kind: ConnectorKind, sent: Texts): Record<string, string> {
  const form = z.object({ ...kind.settings.shape, ...kind.secrets.shape });
  const unknown = Object.keys(sent).filter((id) => !Object.hasOwn(form.shape, id));
  const parsed = form.safeParse(sent);
  const wrong = unknown.map((id) => ({ id, message: 'Diese Angabe gibt es hier nicht' }));
  for (const { path, message } of parsed.error?.issues ?? []) wrong.push({ id: String(path[0] ?? ''), message });
  if (!parsed.success || wrong.length > 0) throw wrongFields('invalid', 'Angaben des Kontos sind nicht gültig.', wrong);
  return parsed.data;
}

/** A refusal that names the fields, as the form knows them. */
export const wrongFields = (code: string, message: string, wrong: readonly { id: string; message: string }[]) =>
  unprocessable(
    code,
    `${message} Es wurde nichts gespeichert.`,
    wrong.map(({ id, message: words }) => ({ field: `settings.${id}`, message: words })),
  );
