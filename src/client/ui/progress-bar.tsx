import { Progress } from '@mantine/core';
import { formatShare } from './text/formats.ts';

type ProgressBarProps = {
  /** What is being done: „lade Daten“. */
  label: string;
  done: number;
  /** 0 if not known yet. */
  total: number;
  /** Progress in words: „12 von 40 Datensätzen“. */
  words?: string;
};

/** Progress of an operation. Without a total it only shows that it is running. */
export function ProgressBar({ label, done, total, words }: ProgressBarProps) {
  const known = total > 0;
  const percent = known ? Math.min(100, (done / total) * 100) : 100;
  return (
    <div>
      <div className="k-between k-small" style={{ marginBottom: 4 }}>
        <span>{label}</span>
        {words !== undefined && <span className="k-muted">{words}</span>}
      </div>
      <Progress.Root size={8} radius={999} bg="var(--k-track)">
        <Progress.Section
          value={percent}
          color="var(--k-graphic)"
          striped={!known}
          animated={!known}
          // The library's own ARIA attributes would overwrite these.
          withAria={false}
          role="progressbar"
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={100}
          {...(known ? { 'aria-valuenow': Math.floor(percent) } : {})}
          aria-valuetext={words ?? (known ? formatShare(done / total) : undefined)}
        />
      </Progress.Root>
    </div>
  );
}
