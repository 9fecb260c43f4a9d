import { describe, expect, it } from 'vitest';
import { readReport, verdictOn } from './feed-report.ts';

const summary = (processed: number, failed: number) =>
  `<ProcessingSummary><MessagesProcessed>${processed}</MessagesProcessed><MessagesSuccessful>${processed - failed}</MessagesSuccessful><MessagesWithError>${failed}</MessagesWithError><MessagesWithWarning>0</MessagesWithWarning></ProcessingSummary>`;
const result = (message: string, code = 'Error') =>
  `<Result><MessageID>${message}</MessageID><ResultCode>${code}</ResultCode><ResultMessageCode>18028</ResultMessageCode><ResultDescription>The data &amp; more</ResultDescription><AdditionalInfo><AmazonOrderID>028-1</AmazonOrderID></AdditionalInfo></Result>`;
const report = (inner: string, before = '') =>
  `<?xml version="1.0"?>${before}<AmazonEnvelope><MessageType>ProcessingReport</MessageType><Message><MessageID>1</MessageID><ProcessingReport><StatusCode>Complete</StatusCode>${inner}</ProcessingReport></Message></AmazonEnvelope>`;
const verdict = (xml: string, message: string) => {
  const found = readReport(xml);
  return found === undefined ? 'unreadable' : (verdictOn(found, message)?.done ?? 'unclear');
};

describe('processing reports', () => {
  it('OIM-03 if one of three messages is refused, only that one is, with its reason', () => {
    const xml = report(summary(3, 1) + result('22'));
    expect(['11', '22', '33'].map((one) => verdict(xml, one))).toEqual([true, false, true]);
    const found = readReport(xml);
    expect(found && verdictOn(found, '22')?.issues).toEqual([
      { code: '18028', message: 'Amazon meldet: The data & more' },
    ]);
  });

  it('OIM-03 a warning is no refusal, an error of the whole document refuses all messages', () => {
    expect(verdict(report(summary(1, 0) + result('11', 'Warning')), '11')).toBe(true);
    expect(verdict(report(summary(2, 2) + result('0')), '11')).toBe(false);
    expect(verdict(report(summary(0, 1).replace('>-1<', '>0<') + result('0')), '11')).toBe(false);
  });

  it('OIM-03 a message that the report does not cover is unclear', () => {
    expect(verdict(report(''), '11')).toBe('unclear');
    expect(verdict(report(summary(0, 0)), '11')).toBe('unclear');
    // Two messages failed but only one is named: ours may be the other.
    expect(verdict(report(summary(3, 2) + result('22')), '11')).toBe('unclear');
    expect(verdict(report(summary(3, 2) + result('22')), '22')).toBe(false);
  });

  it('OIM-03 anything else than a report is unreadable, and entities are neither expanded nor fetched', () => {
    const whole = report(summary(1, 0));
    for (const text of [
      '',
      'x',
      '<html>Wartung</html>',
      '{"a":1}',
      whole.slice(0, -20),
      whole.replace('</Message>', ''),
    ])
      expect(verdict(text, '11')).toBe('unreadable');
    const bomb =
      '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>';
    for (const name of ['b', 'c'])
      expect(verdict(report(summary(1, 1) + result('11').replace('&amp;', `&${name};`), bomb), '11')).toBe(
        'unreadable',
      );
    const deep = '<a>'.repeat(100_000);
    expect(verdict(report(deep), '11')).toBe('unreadable');
  });
});
