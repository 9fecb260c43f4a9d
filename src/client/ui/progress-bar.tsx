import { Progress } from '@mantine/core';

type ProgressBarProps = {
  /** What is going on: „lade Daten“. */
  label: string;
  done: number;
  /** 0 where it is not known yet. */
  total: number;
  /** How far, in words: „12 von 40 Datensätzen“. */
  words?: string;
};

/** How far something has come. Without a total it only shows that it goes on. */
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
          // The library's own attributes would overwrite these.
          withAria={false}
          role="progressbar"
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={100}
          {...(known ? { 'aria-valuenow': Math.round(percent) } : {})}
          aria-valuetext={words ?? (known ? `${Math.round(percent)} %` : undefined)}
        />
      </Progress.Root>
    </div>
  );
}
