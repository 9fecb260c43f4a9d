import { describe, expect, it } from 'vitest';
import { plainParagraphs } from './plain-text.ts';

describe('HTML of the server as plain text', () => {
  it('ITE-06 keeps the paragraphs and drops the markup', () => {
    expect(plainParagraphs('<p>Noch <b>keine</b> Artikel.</p><p>M&uuml;ller &amp; S&#246;hne</p>')).toEqual([
      'Noch keine Artikel.',
      'M&uuml;ller & Söhne',
    ]);
  });

  it('leaves no tag that a browser could run', () => {
    expect(plainParagraphs('<img src=x onerror=alert(1)>a<script>b</script>').join('')).toBe('ab');
  });
});
