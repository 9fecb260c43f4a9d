import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { PASSWORD_LENGTH } from '#shared/account/schema.ts';
import { unprocessable } from '#platform/errors.ts';
import { isLeaked } from './leaked-passwords.ts';

/**
 * With a stolen database an attacker tries some thousand passwords a second: below this number of guesses a password falls within
 * weeks.
 */
const GUESSES = 10_000_000_000;
/** Only this many characters are checked: the time grows with their square, and a password that is strong by then stays so. */
const LOOKED_AT = 64;
/** Number of the most frequent German words to check: rarer ones are as good as random letters. */
const GERMAN_WORDS = 20_000;
/** Words and sayings that anyone here could think of, whatever the lists contain. */
const ownWords =
  `kontor passwort kennwort password geheim willkommen anmeldung sommer winter frühling herbst ichliebedich liebe dich
  meinpasswort dasistmeinpasswort sicherespasswort neuespasswort langespasswort einfachespasswort lassmichrein ichbineinberliner
  wirschaffendas gutenmorgen gutentag derballistrund morgenstundhatgoldimmund uebungmachtdenmeister übungmachtdenmeister
  franzjagtimkomplettverwahrlostentaxi correcthorsebatterystaple thequickbrownfox jumpsoverthelazydog
  richtigpferdbatterieheftklammer loremipsum dolorsitamet onlineshop amazon marktplatz haendler`.split(/\s+/);

let made: Promise<ZxcvbnFactory> | undefined;
/** Its lists are loaded for the first password: that takes a third of a second, and memory that few processes need. */
const estimator = (): Promise<ZxcvbnFactory> => (made ??= makeEstimator());

async function makeEstimator(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, common, german] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-de'),
  ]);
  const { commonWords, firstnames, lastnames, wikipedia } = german.dictionary;
  const frequent = wikipedia.slice(0, GERMAN_WORDS);
  return new ZxcvbnFactory({
    dictionary: { ...common.dictionary, commonWords, firstnames, lastnames, frequent, own: ownWords },
    graphs: common.adjacencyGraphs,
    maxLength: Math.min(PASSWORD_LENGTH.max, LOOKED_AT),
  });
}

/** What an attacker may know of the user: name, address, company. */
export type PasswordContext = { name: string; email: string; companyName: string };

/**
 * Refuses a new password that is a common or leaked one, or that consists of such passwords, German words and names with a few
 * additional characters, rows of keys, or data of its owner. No kinds of character are required. @throws 422 at the field
 * `password`
 */
export async function requireGoodPassword(password: string, context: PasswordContext): Promise<void> {
  const known = [context.name, context.email, context.companyName].flatMap((text) => [
    text,
    ...text.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length >= 4),
  ]);
  const guessed = (await estimator()).check(password, known);
  if (guessed.guesses >= GUESSES && !(await isLeaked(password))) return;
  throw unprocessable('weak_password', 'Dieses Passwort ist zu leicht zu erraten. Es wurde nichts gespeichert.', [
    {
      field: 'password',
      message:
        'Das Passwort steht auf der Liste häufiger und bekannt gewordener Passwörter, oder es besteht aus ein, zwei gängigen Wörtern, Ihrem Namen, Ihrer Adresse oder der Firma. Nehmen Sie zum Beispiel drei Wörter, die nichts miteinander zu tun haben.',
    },
  ]);
}
