import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { SignedProps } from '#shared/live/components.ts';
import type { Principal } from '#platform/http/server.ts';
import { draw } from './draw.ts';
import { html } from './html.ts';
import { defineLiveComponent } from './live-component.ts';
import { LiveComponents } from './registry.ts';
import { PropsSigner } from './signed-props.ts';
import { updateProps } from './writable-paths.ts';

const principal: Principal = {
  company: 'c1',
  companyName: 'Firma',
  userId: 'u1',
  name: 'N',
  email: 'n@beispiel.de',
  role: 'viewer',
  permissions: ['read'],
  by: 'session',
};
const context = { principal, signal: new AbortController().signal };
const named = { name: 'test', version: 1 };

const leading = (redirect: string, name = 'test') =>
  defineLiveComponent({
    name,
    version: 1,
    access: 'read',
    props: z.object({}),
    first: z.object({}),
    load: async () => null,
    actions: (declare) => ({ go: declare(z.object({}), async () => ({ redirect })) }),
    render: () => html`<p>x</p>`,
  });

describe('a live component', () => {
  it('LVC-01 redirects to own paths only, and throws for any other address', async () => {
    const go = (path: string) =>
      leading(path).answer({ values: {}, updated: {}, actions: [{ name: 'go', args: {} }], files: [] }, context);
    await expect(go('/konto')).resolves.toEqual({ redirect: '/konto' });
    for (const path of ['//boese.example', 'https://boese.example', '/\\boese.example', 'javascript:alert(1)', ''])
      await expect(go(path)).rejects.toThrow(/own paths/);
  });

  it('LVC-01 has a unique name, and is not found by users without its permission', () => {
    expect(() => new LiveComponents([leading('/'), leading('/')])).toThrow(/same name/);
    const list = new LiveComponents([leading('/')]);
    expect(list.find('test', principal).name).toBe('test');
    expect(() => list.find('test', { ...principal, permissions: [] })).toThrow(/gibt es nicht/);
  });

  it('LVC-01 updates nested props without changing the given ones', () => {
    const before = { filter: { channel: 'a', other: 1 }, sum: 5 };
    const { values } = updateProps(before, { 'filter.channel': 'b' }, { 'filter.channel': z.string() });
    expect(values).toEqual({ filter: { channel: 'b', other: 1 }, sum: 5 });
    expect(before.filter.channel).toBe('a');
  });
});

describe('nested components', () => {
  it('LVC-01 rendering stops with an error if a component contains itself endlessly', async () => {
    const endless = defineLiveComponent({
      name: 'endless',
      version: 1,
      access: 'read',
      props: z.object({}),
      first: z.object({}),
      load: async () => null,
      render: ({ child }) => html`${child('endless', 'inner', {})}`,
    });
    const drawing = {
      components: new LiveComponents([endless]),
      signer: new PropsSigner('a secret', { now: () => new Date(0) }),
      context,
    };
    const shown = await endless.first({}, context);
    await expect(draw(drawing, endless, shown, { id: 'endless', inputs: '' })).rejects.toThrow(/too deep/);
  });
});

describe('signed props', () => {
  let now = 1_000_000;
  const clock = { now: () => new Date(now) };
  const signer = new PropsSigner('a secret of the installation', clock);
  const content = { values: { b: 1, a: { d: [1], c: '2' } }, id: 'test', inputs: '' };

  it('LVC-01 are verified in any order of their names, and refused after a change', () => {
    const props = signer.sign(named, content, principal);
    const turned: SignedProps = { ...props, values: { a: { c: '2', d: [1] }, b: 1 } };
    expect(() => signer.verify(named, turned, principal)).not.toThrow();
    expect(() => signer.verify(named, { ...props, values: { ...content.values, b: 2 } }, principal)).toThrow(
      /stammen nicht/,
    );
  });

  it('LVC-01 are valid for their component, version, company, user and installation, for a day', () => {
    const props = signer.sign(named, content, principal);
    expect(() => signer.verify({ ...named, name: 'other' }, props, principal)).toThrow(/stammen nicht/);
    expect(() => signer.verify({ ...named, version: 2 }, props, principal)).toThrow(/veraltet/);
    expect(() => signer.verify(named, props, { ...principal, company: 'c2' })).toThrow(/gibt es nicht/);
    expect(() => signer.verify(named, props, { ...principal, userId: 'u2' })).toThrow(/gibt es nicht/);
    expect(() => new PropsSigner('another secret', clock).verify(named, props, principal)).toThrow(/stammen nicht/);
    for (const signature of ['', 'x', props.signature.slice(0, -1), `${props.signature}A`])
      expect(() => signer.verify(named, { ...props, signature }, principal)).toThrow(/stammen nicht/);
    now += 24 * 3_600_000 + 1;
    expect(() => signer.verify(named, props, principal)).toThrow(/veraltet/);
  });
});
