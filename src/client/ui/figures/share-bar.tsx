import classes from './share-bar.module.css';

/** Two parts of a whole as a bar; decorative, since its value is written next to it. */
export function ShareBar({ share }: { share: number }) {
  return (
    <div className={classes.bar} aria-hidden>
      <div className={classes.done} style={{ width: `${Math.min(1, Math.max(0, share)) * 100}%` }} />
    </div>
  );
}
