import IconHeart from 'virtual:icons/heart';
import IconHeartFilled from 'virtual:icons/heart-filled';
import { useState } from 'react';
import { formatInteger } from '#client/ui/text/formats.ts';
import classes from './shell.module.css';

/** HDR-02: counts clicks on a heart; nothing is sent. */
export function HeartCounter() {
  const [hearts, setHearts] = useState(0);
  const Icon = hearts === 0 ? IconHeart : IconHeartFilled;
  return (
    <footer>
      <button type="button" className={classes.link} onClick={() => setHearts(hearts + 1)} title="Ein Herz für Kontor">
        <Icon size={18} stroke={1.7} aria-hidden />
        <span className={classes.label} aria-live="polite">
          {hearts === 0
            ? 'Gefällt Ihnen Kontor?'
            : `Danke! ${formatInteger(hearts)} ${hearts === 1 ? 'Herz' : 'Herzen'}`}
        </span>
      </button>
    </footer>
  );
}
