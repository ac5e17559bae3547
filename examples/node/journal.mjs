// The shop's memory: a file to which one line of JSON is appended for everything that happens. A
// shop with a database does not need this: a transaction does the same (see examples/php).
import { open, readFile } from 'node:fs/promises';

/**
 * @template Entry
 */
export class Journal {
  /** @type {import('node:fs/promises').FileHandle} */
  #file;
  /** @type {(entry: Entry) => void} */
  #apply;
  /** @type {{ line: string, written: () => void }[]} */
  #waiting = [];
  #writing = false;

  /**
   * Reads the journal of the last run and applies its entries in their order. Only one process may
   * have a journal open.
   *
   * @template Entry
   * @param {string} path
   * @param {(entry: Entry) => void} apply changes the state in memory
   * @returns {Promise<Journal<Entry>>}
   */
  static async open(path, apply) {
    const file = await open(path, 'a');
    const text = await readFile(path, 'utf8');
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    for (const line of whole.split('\n').slice(0, -1)) apply(JSON.parse(line));
    // The shop was killed while it wrote the last line: nobody was told that it is there.
    if (whole.length < text.length) await file.truncate(Buffer.byteLength(whole));
    return new Journal(file, apply);
  }

  /**
   * @param {import('node:fs/promises').FileHandle} file
   * @param {(entry: Entry) => void} apply
   */
  constructor(file, apply) {
    this.#file = file;
    this.#apply = apply;
  }

  /**
   * Applies an entry and writes it. The state changes at once, so that nothing is decided twice; when
   * the promise resolves the entry is on disk, and others may be told.
   *
   * @param {Entry} entry
   * @returns {Promise<void>}
   */
  append(entry) {
    this.#apply(entry);
    return new Promise((written) => {
      this.#waiting.push({ line: JSON.stringify(entry) + '\n', written });
      if (!this.#writing) void this.#write();
    });
  }

  // All that waits goes to disk together.
  async #write() {
    this.#writing = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0);
      try {
        await this.#file.appendFile(batch.map((one) => one.line).join(''));
        await this.#file.datasync();
      } catch (error) {
        // What is in memory is no longer what is on disk: only a new start makes them equal.
        console.error('The journal cannot be written:', error);
        process.exit(1);
      }
      for (const one of batch) one.written();
    }
    this.#writing = false;
  }
}
