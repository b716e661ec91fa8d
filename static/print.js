/** The button that prints the page. Without a script, the browser's menu prints it. */
const button = document.getElementById("print");
button?.addEventListener("click", () => print());
if (button) button.hidden = false;
