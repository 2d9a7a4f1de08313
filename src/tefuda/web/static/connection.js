// One WebSocket. After a lost connection it opens again by itself and says hello with the last turn that was seen.

const FIRST_WAIT = 400, LONGEST_WAIT = 8000;

export class Connection {
  /**
   * @param {string} path of the WebSocket
   * @param {{hello: () => object, message: (message: object) => void, state: (state: "open"|"lost"|"closed") => void}} told
   */
  constructor(path, told) {
    this.path = path;
    this.told = told;
    this.wait = FIRST_WAIT;
    this.ended = false;
    this.back = () => this.#openSoon(0);
    addEventListener("online", this.back);
    this.#open();
  }

  /** Send a message; false when there is no connection now. Nothing is kept back: the page asks the table instead. */
  send(message) {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  close() {
    this.ended = true;
    clearTimeout(this.timer);
    removeEventListener("online", this.back);
    this.socket?.close();
    this.told.state("closed");
  }

  #open() {
    if (this.ended || (this.socket && this.socket.readyState < WebSocket.CLOSING)) return;
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = (this.socket = new WebSocket(`${scheme}//${location.host}${this.path}`));
    socket.addEventListener("open", () => {
      const hello = this.told.hello();
      if (hello) socket.send(JSON.stringify({ type: "hello", ...hello }));
      this.told.state("open");
    });
    socket.addEventListener("message", (event) => {
      this.wait = FIRST_WAIT;
      let message;
      try {
        message = JSON.parse(event.data);
      } catch {
        return; // not of our server
      }
      if (message.type === "gone") this.ended = true;
      this.told.message(message);
    });
    socket.addEventListener("close", () => {
      if (this.ended || socket !== this.socket) return;
      this.told.state("lost");
      this.#openSoon(this.wait);
      this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    });
  }

  #openSoon(wait) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#open(), wait);
  }
}
