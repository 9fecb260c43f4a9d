import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { addMember } from '../../stages/add-member.ts';
import { testKontor, type TestKontor } from '../../stages/kontor.ts';
import { Visitor } from '../../stages/http/visitor.ts';

const minute = 60_000;
const password = 'lampe-wolke-trecker';

describe('a session whose user proves the password again', () => {
  const clock = { time: new Date('2026-03-10T08:00:00Z').getTime(), now: () => new Date(clock.time) };
  let kontor: TestKontor;
  beforeAll(async () => {
    kontor = await testKontor({}, { clock });
  });
  afterAll(() => kontor.close());

  let made = 0;
  /** Adds an administrator whose last proof is too old for confidential changes. */
  const administrator = async () => {
    const person = { name: 'Jo Ahrens', email: `jo${++made}@beispiel.de`, password };
    await addMember(kontor, { ...person, role: 'admin' });
    const visitor = new Visitor(kontor);
    expect((await visitor.signIn(person)).status).toBe(200);
    clock.time += 16 * minute;
    return visitor;
  };
  const cookieOf = (visitor: Visitor) => visitor.cookies.get('kontor') ?? '';
  /** Returns a visitor with a copy of another's session cookie. */
  const withCookie = (cookie: string) => {
    const other = new Visitor(kontor);
    other.cookies.set('kontor', cookie);
    return other;
  };
  const asks = (visitor: Visitor) => visitor.outcome(api.session);
  const confidential = (visitor: Visitor) =>
    visitor.outcome(api.createToken, { body: { name: 'Zugang', role: 'viewer' } });
  const prove = (visitor: Visitor) => visitor.ask(api.prove, { body: { password } });

  it('gets a new secret; the former one is valid a minute more, and never for confidential calls', async () => {
    const visitor = await administrator();
    const former = withCookie(cookieOf(visitor));
    const before = await visitor.ask(api.sessions);
    await prove(visitor);
    expect(cookieOf(visitor)).not.toBe(cookieOf(former));
    expect(await confidential(visitor)).toEqual([200, 'ok']);
    expect(await asks(former)).toEqual([200, 'ok']);
    expect(await confidential(former)).toEqual([403, 'step_up_required']);
    clock.time += minute;
    expect(await asks(former)).toEqual([401, 'no_session']);
    expect(await confidential(visitor)).toEqual([200, 'ok']);
    expect((await visitor.ask(api.sessions)).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  });

  it('two proofs in two windows at once keep the session signed in, whichever answer comes last', async () => {
    const visitor = await administrator();
    const [one, other] = [withCookie(cookieOf(visitor)), withCookie(cookieOf(visitor))];
    await Promise.all([prove(one), prove(other)]);
    expect(cookieOf(one)).not.toBe(cookieOf(visitor));
    expect(cookieOf(one)).toBe(cookieOf(other));
    expect(await confidential(one)).toEqual([200, 'ok']);
    clock.time += 2 * minute;
    expect(await asks(other)).toEqual([200, 'ok']);
  });

  it('a lost answer keeps the former secret valid, but confidential calls need a new proof', async () => {
    const visitor = await administrator();
    const had = cookieOf(visitor);
    await prove(visitor);
    visitor.cookies.set('kontor', had);
    clock.time += 60 * minute;
    expect(await confidential(visitor)).toEqual([403, 'step_up_required']);
    await prove(visitor);
    expect(await confidential(visitor)).toEqual([200, 'ok']);
    clock.time += minute;
    expect(await asks(withCookie(had))).toEqual([401, 'no_session']);
  });

  it('is renewed by each proof, though not twice in a minute', async () => {
    const visitor = await administrator();
    await prove(visitor);
    const first = cookieOf(visitor);
    await prove(visitor);
    expect(cookieOf(visitor)).toBe(first);
    clock.time += minute;
    await prove(visitor);
    expect(cookieOf(visitor)).not.toBe(first);
    expect(await confidential(visitor)).toEqual([200, 'ok']);
    clock.time += minute;
    expect(await asks(withCookie(first))).toEqual([401, 'no_session']);
  });

  it('can also be ended with the former secret', async () => {
    const visitor = await administrator();
    const former = withCookie(cookieOf(visitor));
    await prove(visitor);
    await former.ask(api.signOut);
    expect(await asks(visitor)).toEqual([401, 'no_session']);
  });
});
