import { expect, test } from 'vitest';
import { afterReading, FLOW } from './action-flow.ts';

const support = { reasons: [], readBack: 'full', repeat: 'after_reading', asynchronous: true } as const;
const progress = { sends: 1, reads: 0, sinceSent: 60_000, submitted: true };
const last = { ...progress, reads: FLOW.looks.length - 1 };
const aborted = { code: 'FATAL', message: 'Hier brach der Marktplatz ab.' };

test('OIM-03 an action of which the marketplace says that it aborted is never called unanswered', () => {
  const evidence = { state: 'unclear', reference: 'R', issues: [aborted] } as const;
  expect(afterReading(evidence, support, progress)).toMatchObject({
    to: 'unknown',
    message: 'Hier brach der Marktplatz ab. Kontor liest beim Marktplatz nach, bevor etwas noch einmal gesendet wird.',
  });
  expect(afterReading(evidence, support, last)).toEqual({
    to: 'unclear',
    message: 'Hier brach der Marktplatz ab. Bitte sehen Sie dort nach.',
  });
});

test('OIM-03 an action without any answer is called unanswered', () => {
  const evidence = { state: 'unclear', reference: '', issues: [] } as const;
  expect(afterReading(evidence, support, progress)).toMatchObject({ message: expect.stringMatching(/ohne Antwort/) });
  expect(afterReading(evidence, support, last)).toMatchObject({ message: expect.stringMatching(/nicht geantwortet/) });
});
