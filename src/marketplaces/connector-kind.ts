import { z } from 'zod';
import type { Clock } from '#platform/clock.ts';
import type { Egress } from '#platform/egress/egress.ts';
import type { AccountGroup, AccountMarketplace } from '#shared/marketplace-accounts/schema.ts';
import type { Connector, ReadMessage } from './port.ts';

export type ConnectorDeps = { egress: Pick<Egress, 'exchange'>; clock: Clock };

/** The words of a setting or a secret of an account, shown in its form. */
type FieldWords = {
  label: string;
  help?: string;
  /** An account can only be active with it. With `partOf` that applies only where the other field is filled. */
  required?: true;
  /** Secrets may be sent to this address: it is checked before it is saved. */
  address?: true;
  /** Labels of the possible values, by value; absent: free text. */
  choices?: Readonly<Record<string, string>>;
  /** Id of the form's group that holds the field. */
  group?: string;
  /** The setting it depends on: without that one a secret is deleted. */
  partOf?: string;
  /** For a secret: the address fields it was given for. If one of them changes, the secret must be entered again. */
  boundTo?: readonly string[];
};
/** Attaches words to a field of an account: `z.string().default('').register(accountField, {label: …})`. */
export const accountField = z.registry<FieldWords>();

/** Fields of an account are texts, empty until the user fills them in. */
type Texts = z.ZodObject<Record<string, z.ZodType<string, string | undefined>>>;

/** An account's identity at the marketplace, and its form's values. */
export type ConnectedAccount<Settings, Secrets> = {
  company: string;
  marketplace: string;
  sellerId: string;
  currency: string;
  settings: Settings;
  secrets: Secrets;
};

/** A marketplace's connector as main.ts lists it: all that the program and its forms know of it. */
export type ConnectorKind = {
  /** The name by which accounts refer to it; must never change. */
  id: string;
  label: string;
  marketplaces: readonly AccountMarketplace[];
  /** Set if users cannot create accounts of it: the text shown at the existing ones. */
  demo?: string;
  sellerHelp: string;
  groups: readonly AccountGroup[];
  settings: Texts;
  secrets: Texts;
  readMessage: ReadMessage;
  /** Opens a connector from stored settings and secrets. Undefined: the account cannot be connected at present. */
  connect(deps: ConnectorDeps, account: ConnectedAccount<unknown, unknown>): Connector | undefined;
};

type Typed<Settings extends Texts, Secrets extends Texts> = Omit<ConnectorKind, 'settings' | 'secrets' | 'connect'> & {
  settings: Settings;
  secrets: Secrets;
  connect(deps: ConnectorDeps, account: ConnectedAccount<z.infer<Settings>, z.infer<Secrets>>): Connector | undefined;
};

/** Defines a kind of connector; `connect` receives settings and secrets parsed by its schemas. */
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
