import { z } from 'zod';
import type { Clock } from '#platform/clock.ts';
import type { Egress } from '#platform/egress/egress.ts';
import type { AccountGroup, AccountMarketplace } from '#shared/marketplace-accounts/schema.ts';
import type { Connector, ReadMessage } from './port.ts';

export type ConnectorDeps = { egress: Pick<Egress, 'exchange'>; clock: Clock };

/** What people need to know of a setting or a secret of an account, to fill it in. */
type FieldWords = {
  label: string;
  help?: string;
  /** An account is active only with it; of a field with `partOf` that holds where that one is filled. */
  required?: true;
  /** Secrets may be sent to this address: it is looked at before it is saved. */
  address?: true;
  /** What can be chosen, by value; without it people type. */
  choices?: Readonly<Record<string, string>>;
  /** The group of the form that it stands in. */
  group?: string;
  /** The setting without which it means nothing: a secret is forgotten with it. */
  partOf?: string;
  /** Of a secret: the addresses it was given for. With another one it is to be given again. */
  boundTo?: readonly string[];
};
/** Gives a field of an account its words: `z.string().default('').register(accountField, {label: …})`. */
export const accountField = z.registry<FieldWords>();

/** The fields of an account are texts, empty until somebody fills them in. */
type Texts = z.ZodObject<Record<string, z.ZodType<string, string | undefined>>>;

/** Who an account is at the marketplace, and what its form holds. */
export type ConnectedAccount<Settings, Secrets> = {
  company: string;
  marketplace: string;
  sellerId: string;
  currency: string;
  settings: Settings;
  secrets: Secrets;
};

/** A marketplace's connector as it is listed: all that the program and its forms know of it. */
export type ConnectorKind = {
  /** What accounts name it by; stays for ever. */
  id: string;
  label: string;
  marketplaces: readonly AccountMarketplace[];
  /** Whether people make accounts of it; if not, words about those that there are. */
  demo?: string;
  sellerHelp: string;
  groups: readonly AccountGroup[];
  settings: Texts;
  secrets: Texts;
  readMessage: ReadMessage;
  /** Settings and secrets as they are stored. Undefined: nothing speaks with this account at present. */
  connect(deps: ConnectorDeps, account: ConnectedAccount<unknown, unknown>): Connector | undefined;
};

type Typed<Settings extends Texts, Secrets extends Texts> = Omit<ConnectorKind, 'settings' | 'secrets' | 'connect'> & {
  settings: Settings;
  secrets: Secrets;
  connect(deps: ConnectorDeps, account: ConnectedAccount<z.infer<Settings>, z.infer<Secrets>>): Connector | undefined;
};

/** A kind of connector; `connect` gets settings and secrets as its schemas read them. */
export function defineConnector<Settings extends Texts, Secrets extends Texts>(
  kind: Typed<Settings, Secrets>,
): ConnectorKind {
  return {
    ...kind,
    connect: (deps, account) =>
      kind.connect(deps, {
        ...account,
        settings: kind.settings.parse(account.settings),
        secrets: kind.secrets.parse(account.secrets),
      }),
  };
}
