import type { Sending } from '#client/sending/pieces.ts';
import { ProgressBar } from '#client/ui/progress-bar.tsx';
import { formatBytes, formatCount } from '#client/ui/text/formats.ts';

/** Progress, speed and remaining time of the upload, or that it waits for the connection. */
export function SendingProgress({ sending }: { sending: Sending }) {
  const { sent, size, waiting } = sending;
  return (
    <div>
      <ProgressBar label="Datei wird hochgeladen" done={sent} total={size} words={wordsOf(sending)} />
      <p className="k-small">
        <span role="status">
          {waiting !== null && `${waiting.reason} Was angekommen ist, bleibt; Kontor versucht es von selbst wieder.`}
        </span>
        {/* Not announced: every second it would drown out everything else. */}
        {waiting !== null && (
          <span className="k-muted" aria-hidden>
            {waiting.seconds === 0
              ? ' Der nächste Versuch läuft.'
              : ` Nächster Versuch in ${formatCount(waiting.seconds, 'Sekunde', 'Sekunden')}.`}
          </span>
        )}
      </p>
    </div>
  );
}

function wordsOf({ sent, size, speed, waiting }: Sending): string {
  const words = `${formatBytes(sent)} von ${formatBytes(size)}`;
  if (speed === null || speed < 1 || waiting !== null) return words;
  return `${words}, ${formatBytes(speed)}/s, ${leftText((size - sent) / speed)}`;
}

function leftText(seconds: number): string {
  if (seconds < 60) return 'noch unter einer Minute';
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `noch etwa ${formatCount(minutes, 'Minute', 'Minuten')}`;
  return `noch etwa ${formatCount(Math.round(minutes / 60), 'Stunde', 'Stunden')}`;
}
