import { useState } from 'react';
import type { Picture } from '#client/screens/items/card/card-fields.ts';
import type { PictureMarks } from '#shared/items/schema.ts';
import { ImageCell } from '#client/screens/items/image-cell.tsx';
import classes from './gallery.module.css';

type GalleryProps = { pictures: readonly Picture[]; itemid: string; marks: PictureMarks };

/** One picture large, and the others to choose from; the large one leads to its full size. */
export function Gallery({ pictures, itemid, marks }: GalleryProps) {
  const [chosen, setChosen] = useState(0);
  const shown = pictures[chosen];
  return (
    <section className={`k-card ${classes.gallery}`} aria-label="Bilder">
      {shown === undefined ? (
        <p className="k-muted">Dieser Artikel hat kein Bild.</p>
      ) : (
        <a className={classes.large} href={shown.address} target="_blank" rel="noreferrer" title={shown.name}>
          <ImageCell marks={marks} url={shown.address} name={`Bild ${chosen + 1} zu ${itemid}`} />
        </a>
      )}
      {pictures.length > 1 && (
        <ul className={classes.thumbnails} aria-label="Bild wählen">
          {pictures.map(({ address }, index) => (
            <li key={address}>
              <button type="button" aria-pressed={index === chosen} onClick={() => setChosen(index)}>
                <ImageCell marks={marks} url={address} name={`Bild ${index + 1} zeigen`} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
