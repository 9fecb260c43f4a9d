import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { PASSWORD_LENGTH } from '#shared/account/schema.ts';
import { unprocessable } from '#platform/errors.ts';

/** Whoever stole the database tries some thousand passwords a second: fewer than these would be through in days. */
const GUESSES = 1_000_000_000;
/** Words that everybody here could think of, whatever the list of common passwords holds. */
const ownWords = ['kontor', 'passwort', 'password', 'geheim', 'willkommen', 'anmeldung', 'sommer', 'winter'];

let made: ZxcvbnFactory | undefined;
/** Made for the first password: ordering its lists takes a tenth of a second, which no start has to wait for. */
const estimator = (): ZxcvbnFactory =>
  (made ??= new ZxcvbnFactory({
    dictionary: { ...dictionary, own: ownWords },
    graphs: adjacencyGraphs,
    maxLength: PASSWORD_LENGTH.max,
  }));

/** What an attacker knows of somebody: name, address, company. */
export type PasswordContext = { name: string; email: string; companyName: string };

/**
 * Refuses a new password that is found among the common and leaked ones, is built of them, of rows of keys, or of what is known of its
 * owner. No kind of character is asked for. @throws 422 at the field `password`
 */
export function requireGoodPassword(password: string, context: PasswordContext): void {
  const known = [context.name, context.email, context.companyName].flatMap((text) => [
    text,
    ...text.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length >= 4),
  ]);
  if (estimator().check(password, known).guesses >= GUESSES) return;
  throw unprocessable('weak_password', 'Dieses Passwort ist zu leicht zu erraten. Es wurde nichts gespeichert.', [
    {
      field: 'password',
      message:
        'Das Passwort steht auf der Liste häufiger und bekannt gewordener Passwörter, oder es besteht aus Ihrem Namen, Ihrer Adresse oder der Firma. Nehmen Sie zum Beispiel drei Wörter, die nichts miteinander zu tun haben.',
    },
  ]);
}
