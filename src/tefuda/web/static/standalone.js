// A page that was exported: it opens without a server, since all that a server would answer stands in it.

const packed = Uint8Array.from(atob(document.getElementById("canned").textContent.trim()), (sign) => sign.charCodeAt(0));
const canned = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).json();

globalThis.fetch = async (path) => {
  const found = Object.hasOwn(canned.answers, path);
  return new Response(JSON.stringify(found ? canned.answers[path] : { why: canned.why }), { status: found ? 200 : 404, headers: { "Content-Type": "application/json" } });
};

/** Speaks as the server does: a review at once, a game turn by turn. */
class CannedSocket extends EventTarget {
  static CONNECTING = 0;
  static OPEN = 1;
  static CLOSING = 2;
  static CLOSED = 3;

  constructor(address) {
    super();
    this.readyState = CannedSocket.CONNECTING;
    this.talk = canned.sockets[address.replace(/^wss?:\/\/[^/]*/, "")] ?? { messages: [{ type: "gone", why: canned.why }] };
    this.view = "";
    this.number = 0;
    setTimeout(() => {
      this.readyState = CannedSocket.OPEN;
      this.dispatchEvent(new Event("open"));
      for (const message of this.talk.messages ?? []) this.tell(message);
    });
  }

  tell(message) {
    if (this.readyState === CannedSocket.OPEN) this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(message) }));
  }

  send(text) {
    const message = JSON.parse(text), { views } = this.talk;
    if (!views) return;
    if (message.type === "hello") this.anew();
    else if (message.type === "step") this.step();
    else if (message.type === "pause") clearInterval(this.running);
    else if (message.type === "play") {
      clearInterval(this.running);
      this.running = setInterval(() => this.step(), 1000 * message.pace);
    } else if (message.type === "look") {
      const { place } = this.entries[this.number], wanted = message.seat === null ? "" : String(message.seat);
      if (!views[wanted]) return;
      this.view = wanted;
      this.number = this.entries.findLastIndex((each) => each.place <= place);
      this.anew();
    }
  }

  get entries() {
    return this.talk.views[this.view];
  }

  /** The table as it stands. */
  anew() {
    const log = this.entries.slice(1, this.number + 1).flatMap(({ turn, scene }) => (scene.said ?? []).map((said) => ({ turn, ...said })));
    this.tell({ ...this.talk.about, type: "turns", from: null, turns: [this.entries[this.number]], over: this.over, log: log.slice(-100) });
  }

  get over() {
    return Boolean(this.talk.result) && this.number === this.entries.length - 1;
  }

  step() {
    if (this.number === this.entries.length - 1) return clearInterval(this.running);
    const { turn } = this.entries[this.number];
    this.number += 1;
    this.tell({ ...this.talk.about, type: "turns", from: turn, turns: [this.entries[this.number]], over: this.over });
    if (this.over) this.tell({ type: "result", ...this.talk.result });
  }

  close() {
    clearInterval(this.running);
    this.readyState = CannedSocket.CLOSED;
    this.dispatchEvent(new Event("close"));
  }
}

globalThis.WebSocket = CannedSocket;
if (!location.hash.startsWith(canned.begin)) location.replace(canned.begin);
