/** Instead of the page while not even its texts could be loaded, so in all languages. */
export function NoWords() {
  return (
    <main className="main">
      <p lang="en">The page could not be loaded. Check that the node is running, and reload the page.</p>
      <p lang="ko">페이지를 불러오지 못했습니다. 노드가 실행 중인지 확인하고 페이지를 새로 고치세요.</p>
    </main>
  );
}
