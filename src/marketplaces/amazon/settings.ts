import { z } from 'zod';
import { isSecureAddress } from '#platform/egress/address-rules.ts';
import { accountField } from '#marketplaces/connector-kind.ts';

const word = (most: number) =>
  z
    .string()
    .trim()
    .max(most)
    .regex(/^[\x21-\x7e]*$/, 'Bitte ohne Leerzeichen und Sonderzeichen')
    .default('');
/** An address; empty: Amazon's own. Secrets are sent to it, so only this machine may be reached without encryption. */
const address = () =>
  z
    .union([
      z.literal(''),
      z
        .url({ error: 'Bitte eine vollständige Adresse mit https://' })
        .refine(isSecureAddress, 'Bitte eine vollständige Adresse mit https://, ohne Zugangsdaten darin'),
    ])
    .default('');

/** Groups of an account's form in addition to the credentials. */
export const groups = [
  {
    id: 'messages',
    title: 'Mitteilungen (Amazon SQS): Preise folgen in Sekunden statt nach einer halben Stunde',
    help: 'Amazon schreibt Änderungen von Angeboten und Bestellungen in eine Warteschlange Ihres AWS-Kontos, Kontor liest sie dort. Erlauben Sie Amazons Konto 437568002678 dort „SendMessage“ und „GetQueueAttributes“, dem Schlüssel hier „ReceiveMessage“ und „DeleteMessage“.',
  },
  { id: 'addresses', title: 'Andere Adressen (Sandbox, für Fachleute)', help: '' },
];

/** An account's `settings` of this connector. Addresses other than Amazon's own are for sandboxes. */
export const AmazonSettings = z.object({
  clientId: word(200).register(accountField, {
    label: 'Client-ID',
    help: 'LWA-Client der Anwendung',
    required: true,
  }),
  queueUrl: address().register(accountField, {
    label: 'Adresse der Warteschlange',
    help: 'https://sqs.eu-central-1.amazonaws.com/…/…',
    address: true,
    group: 'messages',
  }),
  queueKeyId: word(200).register(accountField, {
    label: 'Zugriffsschlüssel-ID',
    help: 'AWS, beginnt mit AKIA',
    required: true,
    group: 'messages',
    partOf: 'queueUrl',
  }),
  apiUrl: address().register(accountField, {
    label: 'Adresse der Schnittstelle',
    help: 'Leer: Amazon Europa',
    address: true,
    group: 'addresses',
  }),
  tokenUrl: address().register(accountField, {
    label: 'Adresse der Anmeldung',
    help: 'Leer: Login with Amazon',
    address: true,
    group: 'addresses',
  }),
});

/** The account's `secrets` of this connector, stored as JSON. */
export const AmazonSecrets = z.object({
  clientSecret: word(1000).register(accountField, {
    label: 'Client-Geheimnis',
    required: true,
    boundTo: ['apiUrl', 'tokenUrl'],
  }),
  refreshToken: word(4000).register(accountField, {
    label: 'Refresh-Token',
    required: true,
    boundTo: ['apiUrl', 'tokenUrl'],
  }),
  queueSecret: word(1000).register(accountField, {
    label: 'Geheimer Zugriffsschlüssel',
    required: true,
    group: 'messages',
    partOf: 'queueUrl',
    boundTo: ['queueUrl'],
  }),
});

/** Marketplaces that an account can sell in, Germany first. */
export const marketplaces = [
  { id: 'A1PA6795UKMFR9', name: 'Amazon.de', currency: 'EUR' },
  { id: 'A13V1IB3VIYZZH', name: 'Amazon.fr', currency: 'EUR' },
  { id: 'APJ6JRA9NG5V4', name: 'Amazon.it', currency: 'EUR' },
  { id: 'A1RKKUPIHCS9HS', name: 'Amazon.es', currency: 'EUR' },
  { id: 'A1805IZSGTT6HS', name: 'Amazon.nl', currency: 'EUR' },
  { id: 'AMEN7PMS3EDWL', name: 'Amazon.com.be', currency: 'EUR' },
  { id: 'A1C3SOZRARQ6R3', name: 'Amazon.pl', currency: 'PLN' },
  { id: 'A2NODRKZP88ZB9', name: 'Amazon.se', currency: 'SEK' },
];

/** Europe: one application may serve all its marketplaces. */
export const EU_API = 'https://sellingpartnerapi-eu.amazon.com';
export const LWA_TOKEN = 'https://api.amazon.com/auth/o2/token';

/** A queue that receives Amazon's notifications, and a key that may read it. */
export type QueueAccess = { url: string; keyId: string; secret: string };

/** Everything that the connector needs to know of one account. */
export type AmazonAccount = {
  marketplace: string;
  sellerId: string;
  currency: string;
  clientId: string;
  clientSecret: string;
  refreshToken: string;
  apiUrl: string;
  tokenUrl: string;
  /** Undefined: without a queue notifications are pushed to Kontor, or do not arrive at all. */
  queue?: QueueAccess | undefined;
};
