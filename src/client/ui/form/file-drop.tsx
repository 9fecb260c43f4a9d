import { Button } from '@mantine/core';
import IconUpload from 'virtual:icons/upload';
import IconX from 'virtual:icons/x';
import { type DragEvent, useId, useRef, useState } from 'react';
import classes from './file-drop.module.css';
import { formatBytes } from '#client/ui/text/formats.ts';

type FileDropProps = { file: File | null; onFile: (file: File | null) => void; accept?: string; hint: string };

/** Takes one file, dropped or chosen. */
export function FileDrop({ file, onFile, accept, hint }: FileDropProps) {
  const input = useRef<HTMLInputElement>(null);
  const hintId = useId();
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const dropped = event.dataTransfer.files[0];
    if (dropped !== undefined) onFile(dropped);
  };
  const choose = () => {
    if (input.current === null) return;
    // Otherwise the same file could not be chosen again.
    input.current.value = '';
    input.current.click();
  };
  return (
    <div
      className={classes.drop}
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <input
        ref={input}
        type="file"
        accept={accept}
        className="k-hidden"
        tabIndex={-1}
        aria-label="Datei"
        onChange={(event) => onFile(event.currentTarget.files?.[0] ?? null)}
      />
      {file === null ? (
        <>
          <IconUpload size={24} stroke={1.6} aria-hidden className={classes.icon} />
          <div>
            Datei hierher ziehen oder{' '}
            <Button size="xs" variant="default" onClick={choose} aria-describedby={hintId}>
              Datei wählen
            </Button>
          </div>
        </>
      ) : (
        <div className="k-row" style={{ justifyContent: 'center' }}>
          <strong className={classes.name}>{file.name}</strong>
          <span className="k-muted">{formatBytes(file.size)}</span>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconX size={14} aria-hidden />}
            onClick={() => onFile(null)}
          >
            Entfernen
          </Button>
        </div>
      )}
      <p id={hintId} className="k-muted k-small">
        {hint}
      </p>
    </div>
  );
}
