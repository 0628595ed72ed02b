/** A part of the client that could not be fetched is asked for again: at once when the line is back, else every second. */

const PAUSE = 1000;

export async function patiently<T>(load: () => Promise<T>, waiting: () => void = () => {}): Promise<T> {
  for (let again = false; ; again = true) {
    try {
      if (again) await redress();
      return await load();
    } catch {
      waiting();
    }
    await lineBack();
  }
}

/** A style that failed is not asked for again by itself: what comes next would be without it. */
async function redress(): Promise<void> {
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')];
  await Promise.all(links.filter((link) => !came(link)).map((link) => new Promise((done, failed) => {
    const another = link.cloneNode() as HTMLLinkElement;
    another.onload = done;
    another.onerror = failed;
    link.replaceWith(another);
  })));
}

/** Browsers differ in what is left of one that failed: nothing, or something that may not be looked into. */
function came(link: HTMLLinkElement): boolean {
  try {
    return !!link.sheet?.cssRules;
  } catch {
    return false;
  }
}

function lineBack(): Promise<void> {
  return new Promise((go) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      go();
    };
    const timer = setTimeout(done, PAUSE);
    addEventListener('online', done);
  });
}
