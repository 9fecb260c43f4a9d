import tls from 'node:tls';
import { expect } from 'vitest';
import { api } from '#shared/http/api.ts';
import type { MailSave } from '#shared/notifications/schema.ts';
import { selfSigned, smtpServer, type SmtpServer } from '../servers/smtp-server.ts';
import type { TestKontor } from './kontor.ts';

export type MailStage = {
  server: SmtpServer;
  /** Sets the company up to send over this server. */
  setUp: (kontor: TestKontor) => Promise<void>;
  /** Returns the text of the newest e-mail to an address, once there are `count` of them. */
  newestTo: (address: string, count?: number) => Promise<string>;
  countTo: (address: string) => number;
  close: () => Promise<void>;
};

/** Returns mail settings of a company that sends over this server, to two recipients. */
export const mailSettings = ({ port }: SmtpServer, more: Partial<MailSave> = {}): MailSave => ({
  active: true,
  host: '127.0.0.1',
  port,
  security: 'starttls',
  user: 'post',
  password: 'geheim',
  sender: 'kontor@beispiel.de',
  recipients: ['chefin@beispiel.de', 'lager@beispiel.de'],
  digestHour: 7,
  choices: {},
  ...more,
});

/** Starts a mail server on loopback whose certificate this process trusts. */
export async function mailStage(): Promise<MailStage> {
  const certificate = selfSigned();
  const trusted = tls.getCACertificates('default');
  tls.setDefaultCACertificates([...trusted, certificate.cert]);
  const server = await smtpServer(certificate);
  const to = (address: string) => server.received.filter((_, n) => server.recipients[n]?.includes(address) === true);
  return {
    server,
    setUp: async (kontor) => {
      await kontor.ask(api.saveMailSettings, { body: mailSettings(server, { recipients: ['chefin@beispiel.de'] }) });
    },
    newestTo: async (address, count = 1) => {
      await expect.poll(() => to(address).length, { timeout: 20_000 }).toBeGreaterThanOrEqual(count);
      return decoded(to(address).at(-1) ?? '');
    },
    countTo: (address) => to(address).length,
    close: async () => {
      tls.setDefaultCACertificates(trusted);
      await server.close();
    },
  };
}

/** Decodes an e-mail: long lines are folded, and letters beyond ASCII are written like =C3=BC. */
const decoded = (mail: string): string => {
  const bytes = mail
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
};

/** Returns the secret of the link in an e-mail. */
export const secretIn = (text: string): string => /#([\w-]{30,})/.exec(text)?.[1] ?? '';
