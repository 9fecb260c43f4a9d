import { describe, expect, it } from 'vitest';
import { isOwnPath } from '#shared/values/own-path.ts';
import { ChildSlot, html, type Html } from './html.ts';

const evil = `"'><script>alert(1)</script>&`;

const textOf = ({ parts }: Html): string => parts.map((part) => (typeof part === 'string' ? part : part.id)).join('');

describe('the tag html', () => {
  it('LVC-01 escapes inserted values in texts and attributes, and writes nothing for null and false', () => {
    const list = ['a<', html`<b>${evil}</b>`];
    expect(textOf(html`<i title="${evil}">${list}${null}${false}${5}</i>`)).toBe(
      '<i title="&quot;&#39;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;">a&lt;<b>&quot;&#39;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;</b>5</i>',
    );
  });

  it('LVC-01 refuses places where escaping does not help', () => {
    expect(() => html`<i title=${'x'}></i>`).toThrow(/quoted/);
    expect(() => html`<i onclick="${'x'}"></i>`).toThrow(/handlers/);
    for (const address of ['javascript:alert(1)', 'https://boese.example', '//boese.example'])
      expect(() => html`<a href="${address}">x</a>`).toThrow(/own paths/);
    expect(textOf(html`<a href="${'/konto?a=1&b=2'}">x</a>`)).toBe('<a href="/konto?a=1&amp;b=2">x</a>');
    expect(() => new ChildSlot('hello', '"><script>', {})).toThrow(/id/);
  });

  it('LVC-01 distinguishes own paths from everything that a browser reads as another host', () => {
    for (const own of ['/', '/konto', '/bestellungen?filter=faellig&kanal=a%20b#x'])
      expect([own, isOwnPath(own)]).toEqual([own, true]);
    const others = [
      '',
      'konto',
      '//x',
      '/\\x',
      '/\t/x',
      '/a\nb',
      'javascript:x',
      'https://x/',
      '\u0000/x',
      '/a b',
      ' /konto',
    ];
    for (const other of others) expect([other, isOwnPath(other)]).toEqual([other, false]);
  });
});
