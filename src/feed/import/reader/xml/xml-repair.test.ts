import { describe, expect, test } from 'vitest';
import { XmlRepair } from './xml-repair.ts';

function repair(pieces: readonly string[]) {
  const events: string[] = [];
  const repairing = new XmlRepair((what) => events.push(what));
  const text = pieces.map((piece) => repairing.feed(piece)).join('') + repairing.end();
  return { text, events, skipped: repairing.skippedLines };
}

describe('repair of XML', () => {
  test.each([
    ['<a>x & y &amp; &lt;&b &;&#; &#x; &#12</a>', '<a>x &amp; y &amp; &lt;&amp;b &amp;;&amp;#; &amp;#x; &amp;#12</a>'],
    ['<a>&uuml; &#65; &#x41; &#X41;</a>', '<a>&uuml; &#65; &#65; &#65;</a>'],
    ['<a>&foo; &constructor;</a>', '<a>&amp;foo; &amp;constructor;</a>'],
    [
      '<!DOCTYPE a [<!ENTITY foo "> & ]"><!-- "]> & --><?p ] ?>]><a>&foo; & b</a>',
      '<!DOCTYPE a [<!ENTITY foo "> & ]"><!-- "]> & --><?p ] ?>]><a>&foo; &amp; b</a>',
    ],
    ['<!DOCTYPE a SYSTEM "a>&b"><a>&foo; & b</a>', '<!DOCTYPE a SYSTEM "a>&b"><a>&foo; &amp; b</a>'],
    [
      '<a><![CDATA[ & ]] ]>&]]> & <!-- & -- - --> & <?x & ? ?> &</a>',
      '<a><![CDATA[ & ]] ]>&]]> &amp; <!-- & -- - --> &amp; <?x & ? ?> &amp;</a>',
    ],
    ['<a>&#x1F;&#0;&#xFFFF;x&#xD83D;&#xDE00;&#xD83D;y&#xDE00;</a>', '<a>x&#128512;y</a>'],
    ['\n \ufeff<?xml version="1.0"?>\n<a/>', '<?xml version="1.0"?>\n<a/>'],
    ['<', '<'],
    ['&', '&amp;'],
  ])('repairs %j, however it is split into chunks', (source, wanted) => {
    const whole = repair([source]);
    expect(whole.text).toBe(wanted);
    for (let at = 0; at <= source.length; at += 1)
      expect(repair([source.slice(0, at), source.slice(at)]), String(at)).toEqual(whole);
    expect(repair(source.split(''))).toEqual(whole);
  });

  test('leaves correct XML unchanged', () => {
    const source = '<?xml version="1.0"?>\n<!-- & --><a b="&lt;&quot;">x &amp; y<![CDATA[<b>&]]></a>\n';
    expect(repair([source])).toEqual({ text: source, events: [], skipped: 0 });
  });
});
